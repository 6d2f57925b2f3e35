/** The only columns that hold a secret: whoever signs, or compares, needs it itself. Everything else is kept as a hash. */
const lawful = new Set([
  'public.organizations.signing_secret',
  'public.organizations.previous_signing_secret',
  'public.sessions.csrf_token',
]);

const secretName = /password$|secret$|^plainKey$|^apiKey$|^token$/i;
/** Short texts, numbers and times turn up by chance. */
const byChance = /^(?:.{0,11}|[-+.:\dTZ]*)$/s;

/** A column of a table, and everything in it that can hold a text. */
export interface Column {
  /** Such as `public.users.email`. */
  readonly name: string;
  readonly text: string;
}

/** The secrets that a test file handles, and everything they must not turn up in. */
export interface Secrets {
  /** The secrets. */
  readonly values: ReadonlySet<string>;
  remember(...values: readonly (string | null | undefined)[]): void;
  /** Remembers what a body calls a password, a secret or a key, at any depth. */
  rememberNamed(body: unknown): void;
  /** Remembers credentials: the key in Authorization, the values of cookies, the header against forgery. */
  rememberHeaders(headers: Headers): void;
  /** Keeps a text that may hold none: a line of the log, the body of an error. */
  keep(where: string, text: string): void;
  /** The different texts of one kind, in the order in which they came. */
  kept(where: string): readonly string[];
  /** Where a secret turned up: in a text that was kept, or in a column of the database. The secret itself is not told. */
  leaks(columns: readonly Column[]): string[];
}

/** Starts with no secrets. */
export function watchSecrets(): Secrets {
  const values = new Set<string>();
  const texts = new Map<string, Set<string>>();
  const isTold = (text: string) => [...values].some((value) => text.includes(value));
  const mask = (text: string) => [...values].reduce((masked, value) => masked.replaceAll(value, '***'), text);

  const remember: Secrets['remember'] = (...given) => {
    for (const value of given) if (value && !byChance.test(value)) values.add(value);
  };
  const rememberNamed: Secrets['rememberNamed'] = (body) => {
    if (typeof body !== 'object' || body === null) return;
    for (const [name, value] of Object.entries(body)) {
      if (typeof value !== 'string') rememberNamed(value);
      else if (secretName.test(name)) remember(value);
    }
  };
  return {
    values,
    remember,
    rememberNamed,
    rememberHeaders: (headers) => {
      const cookies = [...(headers.get('cookie')?.split('; ') ?? []), ...headers.getSetCookie()];
      remember(...cookies.map((cookie) => /^[^=]+=([^;]*)/.exec(cookie)?.[1]));
      remember(headers.get('authorization')?.replace(/^\w+ /, ''), headers.get('x-service-csrf'));
    },
    keep: (where, text) => {
      const known = texts.get(where) ?? new Set();
      texts.set(where, known.add(text));
    },
    kept: (where) => [...(texts.get(where) ?? [])],
    leaks: (columns) => [
      ...[...texts].flatMap(([where, kept]) =>
        // All at once first: that is quick, and as a rule there is nothing to look for.
        isTold([...kept].join('\n')) ? [...kept].filter(isTold).map((text) => mask(`${where}: ${text}`)) : [],
      ),
      ...columns.filter(({ name, text }) => !lawful.has(name) && isTold(text)).map(({ name }) => `column ${name}`),
    ],
  };
}

/** Throws an error that says where secrets were found. */
export function failOnLeaks(leaks: readonly string[]): void {
  if (leaks.length > 0) throw new Error(`Secrets were found in:\n${leaks.slice(0, 10).join('\n')}`);
}

/** The secrets of this test file; every file runs in a process of its own. */
export const secrets = watchSecrets();
