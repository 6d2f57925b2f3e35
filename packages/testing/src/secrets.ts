import { Client, escapeIdentifier } from 'pg';

/** The only columns that hold a secret: whoever signs, or compares, needs it itself. Everything else is kept as a hash. */
const lawful = new Set([
  'public.organizations.signing_secret',
  'public.organizations.previous_signing_secret',
  'public.sessions.csrf_token',
]);

const secretName = /password$|secret$|^plainKey$|^apiKey$|^token$/i;
/** Short texts, numbers and times turn up by chance. */
const byChance = /^(?:.{0,11}|[-+.:\dTZ]*)$/s;

/** The secrets that a test file handles, and everything they must not turn up in. */
export interface Secrets {
  /** How many there are. */
  readonly count: number;
  remember(...values: readonly (string | null | undefined)[]): void;
  /** Remembers what a body calls a password, a secret or a key, at any depth. */
  rememberNamed(body: unknown): void;
  /** Remembers credentials: the key in Authorization, the values of cookies, the header against forgery. */
  rememberHeaders(headers: Headers): void;
  /** Keeps a text that may hold none: a line of the log, the body of an error. */
  keep(where: string, text: string): void;
  /** Where a secret turned up: in a text, or in a table of the database. The secret itself is not told. */
  leaks(databaseUrl: string): Promise<string[]>;
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
    get count() {
      return values.size;
    },
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
    leaks: async (databaseUrl) => [
      ...[...texts].flatMap(([where, kept]) =>
        // All at once first: that is quick, and as a rule there is nothing to look for.
        isTold([...kept].join('\n')) ? [...kept].filter(isTold).map((text) => mask(`${where}: ${text}`)) : [],
      ),
      ...(await readColumns(databaseUrl))
        .filter(({ name, text }) => !lawful.has(name) && isTold(text))
        .map(({ name }) => `column ${name}`),
    ],
  };
}

/** The secrets of this test file; every file runs in a process of its own. */
export const secrets = watchSecrets();

/** Everything each column holds that can hold a text; bytes as far as they can be read. */
async function readColumns(databaseUrl: string): Promise<{ name: string; text: string }[]> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const { rows: tables } = await client.query<{ table: string; columns: { name: string; type: string }[] }>(
      `select format('%I.%I', table_schema, table_name) as "table",
         json_agg(json_build_object('name', column_name, 'type', data_type)) as columns
       from information_schema.columns join information_schema.tables using (table_schema, table_name)
       where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema')
         and data_type in ('text', 'character varying', 'json', 'jsonb', 'ARRAY', 'bytea')
       group by table_schema, table_name`,
    );
    const found = [];
    for (const { table, columns } of tables) {
      const selected = columns.map(({ name, type }) => {
        const column = escapeIdentifier(name);
        const text = type === 'bytea' ? `encode(${column}, 'escape')` : `${column}::text`;
        return `string_agg(${text}, E'\\n') as ${column}`;
      });
      const { rows } = await client.query<Record<string, string | null>>(`select ${selected.join(', ')} from ${table}`);
      for (const [column, text] of Object.entries(rows[0] ?? {})) {
        found.push({ name: `${table}.${column}`, text: text ?? '' });
      }
    }
    return found;
  } finally {
    await client.end();
  }
}
