import { access } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from '../config.ts';
import { leadsToPooler } from '../database/connection/pooler.ts';
import { withClient } from '../database/connection/with-client.ts';
import { locatePrograms } from '../database/embedded/binaries.ts';
import { findRunningEmbedded } from '../database/embedded/postgres.ts';
import { SchemaError } from '../database/errors.ts';
import { migrationNames } from '../database/migrate.ts';
import { pendingIn, readSchema, schemaProblem } from '../database/schema-problem.ts';
import { inSchema } from '../settings/database-schema.ts';
import { numberOf } from '../words.ts';
import { Problem, Warning } from './part.ts';

const stepMs = 4_000;

interface Server {
  readonly version: string;
  /** Whether it knows the small letter of a capital one beyond ASCII. */
  readonly letters: boolean;
  readonly replica: boolean;
  readonly temporary: boolean;
  /** Whether the user may create tables in the schema, or the schema if there is none. */
  readonly creates: boolean;
  readonly user: string;
}

const readServer = `select current_setting('server_version') as version, lower('Ä') = 'ä' as letters,
  pg_is_in_recovery() as replica, current_user as user,
  has_database_privilege(current_database(), 'temporary') as temporary,
  coalesce(has_schema_privilege(current_schema(), 'create'), has_database_privilege(current_database(), 'create')) as creates`;

/** The tables of the schema that the user of the service may not read and change. */
const readForbidden = `select relname as name from pg_class
  where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p') and not (
    has_table_privilege(oid, 'select') and has_table_privilege(oid, 'insert') and
    has_table_privilege(oid, 'update') and has_table_privilege(oid, 'delete'))
  order by relname`;

type Settings = Pick<Config, 'databaseUrl' | 'databaseSchema' | 'dataDir' | 'migrateOnStart'>;

/** Checks the database of the settings. Starts and changes nothing. */
export async function checkDatabase({ databaseUrl, databaseSchema, dataDir, migrateOnStart }: Settings) {
  if (databaseUrl !== undefined) return checkPostgres(databaseUrl, migrateOnStart);
  await locatePrograms();
  // Looking for the lock would create its file.
  const running = (await exists(dataDir, 'postgres.lock')) ? await findRunningEmbedded(dataDir) : null;
  if (running !== null) return `embedded, ${await checkPostgres(inSchema(running, databaseSchema), migrateOnStart)}`;
  return (await hasEmbedded(dataDir))
    ? `embedded in ${dataDir} and stopped, so what it contains was not checked; the service starts it`
    : `embedded; the first start of the service creates it in ${dataDir}`;
}

/** Whether an embedded database was created in a data folder. */
export async function hasEmbedded(dataDir: string): Promise<boolean> {
  return (await exists(dataDir, 'postgres')) || exists(dataDir, 'postgres-location');
}

function exists(folder: string, name: string): Promise<boolean> {
  return access(join(folder, name)).then(
    () => true,
    () => false,
  );
}

async function checkPostgres(connectionString: string, migrateOnStart: boolean): Promise<string> {
  const limits = { connectionTimeoutMillis: stepMs, query_timeout: stepMs };
  const isPooled = await leadsToPooler(connectionString, limits).catch((error: unknown) => {
    throw error instanceof SchemaError ? problemOf(error.problem) : error;
  });
  return withClient(
    connectionString,
    async (client) => {
      const read = async <Row extends object>(text: string) => (await client.query<Row>(text)).rows;
      await read('begin read only');
      const [server] = await read<Server>(readServer);
      if (server) ensureUsable(server);
      const forbidden = await read<{ name: string }>(readForbidden);
      if (forbidden.length > 0) {
        throw new Problem(
          `the user ${server?.user} may not read and change ${listed(forbidden.map(({ name }) => name))}`,
          'grant it SELECT, INSERT, UPDATE and DELETE, or use the user who owns the tables',
        );
      }
      const way = isPooled ? ' behind a pooler' : '';
      const migrations = await migrationsIn(read, migrateOnStart && !isPooled);
      if (server?.letters === false) {
        throw new Warning(
          'its locale knows only the letters of ASCII, so that a search for "Ä" does not find "ä"',
          'create a database from template0 with a locale such as C.UTF-8, and restore a backup of this one into it',
        );
      }
      return `PostgreSQL ${server?.version.split(' ')[0]}${way}, ${migrations}`;
    },
    limits,
  );
}

function ensureUsable({ replica, temporary, creates, user }: Server): void {
  if (replica) throw new Problem('it is a replica, which cannot be written', 'give the URL of its primary');
  if (!creates) {
    throw new Problem(
      `the user ${user} may not create tables, which migrations do`,
      `make it the owner of the database, or grant it CREATE on the schema`,
    );
  }
  if (!temporary) throw new Problem(`the user ${user} may not create temporary tables`, 'grant it TEMPORARY on it');
}

async function migrationsIn(
  read: <Row extends object>(text: string) => Promise<Row[]>,
  migrateOnStart: boolean,
): Promise<string> {
  const schema = await readSchema((text) => read<{ name: string | null }>(text));
  const problem = schemaProblem(schema, migrationNames);
  if (problem !== null) throw problemOf(problem);
  const pending = pendingIn(schema, migrationNames);
  if (pending.length === 0) return 'migrations up to date';
  if (!migrateOnStart)
    throw new Problem(`it lacks ${numberOf(pending.length, 'migration')}`, 'run "runward-admin migrate --up"');
  return pending.length === migrationNames.length
    ? 'empty; the first start of the service creates its tables'
    : `${pending.length} of ${migrationNames.length} migrations pending; the next start of the service applies them`;
}

/** A problem of a schema says what to do after the first colon. */
function problemOf(clause: string): Problem {
  const [what = '', ...remedy] = clause.split(': ');
  return new Problem(what, remedy.join(': '));
}

function listed(names: readonly string[]): string {
  const shown = names.slice(0, 3).join(', ');
  return names.length > 3 ? `${shown} and ${names.length - 3} more tables` : shown;
}
