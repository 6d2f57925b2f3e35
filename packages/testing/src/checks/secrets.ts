/**
 * The only columns that may hold a secret, because signing or comparing needs the secret itself. All others hold
 * hashes.
 */
const lawful = new Set([
  'organizations.signing_secret',
  'organizations.previous_signing_secret',
  'webhooks.signing_secret',
  'webhooks.previous_signing_secret',
  'sessions.csrf_token',
  'organizations.sign_in_key',
]);

/** Whether what has this name in a body is a secret. */
export const namesSecret = (name: string) => /password$|secret$|^plainKey$|^apiKey$|^token$/i.test(name);

/**
 * Short texts, numbers and times turn up by chance. Ids are no secrets: sweeps send them as passwords and tokens, too.
 */
const byChance = /^(?:.{0,11}|[-+.:\dTZ]*|[\da-f]{8}-[\da-f]{4}-7[\da-f]{3}-[\da-f]{4}-[\da-f]{12})$/is;

/** A column of a table, and everything in it that can hold a text. */
export interface Column {
  /** Such as `users.email`. */
  readonly name: string;
  readonly text: string;
}

/** The secrets that a test file handles, and all texts in which they must not appear. */
export interface Secrets {
  /** The secrets. */
  readonly values: ReadonlySet<string>;
  remember(...values: readonly (string | null | undefined)[]): void;
  /** Remembers the values of passwords, secrets and keys in a body, at any depth. */
  rememberNamed(body: unknown): void;
  /** Remembers credentials: the key in Authorization, cookie values, and the CSRF header. */
  rememberHeaders(headers: Headers): void;
  /** Keeps a text to check for secrets: a log line or an error body. */
  keep(where: string, text: string): void;
  /** The different texts of one kind, in the order in which they came. */
  kept(where: string): readonly string[];
  /** The places where a secret appeared: kept texts or database columns. The result does not contain the secret. */
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
      else if (namesSecret(name)) remember(value);
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
        // Checks all texts at once first. That is fast, and usually there is nothing to find.
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

/** The secrets of this test file. Every test file runs in its own process. */
export const secrets = watchSecrets();
