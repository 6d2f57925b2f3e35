import type { Client } from 'pg';
import { withSetting } from '../../settings/database-schema.ts';
import { preparesStatements } from '../../settings/prepared-statements.ts';
import { ownTimeouts } from '../database.ts';
import { codeOf, SchemaError } from '../errors.ts';
import { withClient } from './with-client.ts';

/** A setting of this program only. A pooler does not pass it on. */
const mark = 'runward.direct';
const timeLimits = ['statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout'] as const;
const example = 'deploy/pgbouncer.ini has an example';

/** prepared statement exists, or does not exist. */
const sharedStatement = new Set(['42P05', '26000']);
/** protocol_violation, with which PgBouncer also refuses settings. */
const refusedSettings = '08P01';

/**
 * Whether a URL leads to a pooler, such as PgBouncer, whose connections to PostgreSQL are shared. Such a pooler drops
 * the settings with which a connection begins. Throws a SchemaError if it does not make up for it: statements would be
 * executed in another schema, or without limits of time, or fail because the statement of another client is prepared.
 */
export async function leadsToPooler(
  url: string,
  timeouts: Partial<typeof ownTimeouts> = ownTimeouts,
): Promise<boolean> {
  const probe: Probe = (work) => withClient(withSetting(url, `${mark}=on`), work, timeouts).catch(refused);
  return probe(async (client) => {
    const { rows } = await client.query<Record<string, string | null>>(
      `select current_setting('${mark}', true) as mark, current_setting('search_path') as search_path,
        ${timeLimits.map((name) => `current_setting('${name}') as ${name}`).join(', ')}`,
    );
    const [found = {}] = rows;
    if (found['mark'] === 'on') return false;
    ensureSettings(url, found);
    if (preparesStatements(url)) await ensureOwnStatements(client, probe);
    return true;
  });
}

function ensureSettings(url: string, found: Readonly<Record<string, string | null>>): void {
  const schema = /search_path=(\S+)/.exec(new URL(url).searchParams.get('options') ?? '')?.[1];
  if (schema !== undefined && found['search_path'] !== schema) {
    throw new SchemaError(
      `the pooler in DATABASE_URL leads to the schema ${found['search_path']} instead of ${schema}: ` +
        `set search_path to ${schema} in the connect_query of its database; ${example}`,
    );
  }
  const unlimited = timeLimits.filter((name) => found[name] === '0');
  if (unlimited.length > 0) {
    throw new SchemaError(
      `the pooler in DATABASE_URL has connections without limits of time: ` +
        `set ${unlimited.join(', ')} in the connect_query of its database; ${example}`,
    );
  }
}

/** A pooler that does not follow prepared statements gives the first connection that is free to both clients. */
async function ensureOwnStatements(first: Client, probe: Probe): Promise<void> {
  const prepare = (client: Client) =>
    client.query({ name: 'runward_probe', text: 'select $1::int', values: [1] }).catch((error: unknown) => {
      if (!sharedStatement.has(codeOf(error))) throw error;
      throw new SchemaError(
        'the pooler in DATABASE_URL does not keep the prepared statements of its clients apart: ' +
          'set DATABASE_PREPARED_STATEMENTS=false, or max_prepared_statements in PgBouncer 1.21 or newer',
      );
    });
  await prepare(first);
  await probe(prepare);
}

/** Runs something on a new connection that has the mark. */
type Probe = <Result>(work: (client: Client) => Promise<Result>) => Promise<Result>;

function refused(error: unknown): never {
  if ((error as { code?: unknown }).code !== refusedSettings) throw error;
  throw new SchemaError(
    `the pooler in DATABASE_URL refuses the settings of connections (${(error as Error).message}): ` +
      `set ignore_startup_parameters; ${example}`,
  );
}
