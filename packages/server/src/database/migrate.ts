import { setTimeout as pause } from 'node:timers/promises';
import { Migrator } from '@mikro-orm/migrations';
import { MikroORM } from '@mikro-orm/postgresql';
import type { Client } from 'pg';
import { schemaPattern, withSetting } from '../settings/database-schema.ts';
import { numberOf } from '../words.ts';
import { closeDatabase } from './close-database.ts';
import { leadsToPooler } from './connection/pooler.ts';
import { withClient } from './connection/with-client.ts';
import { isForbidden, isLockTimeout, isRetryable, SchemaError } from './errors.ts';
import { baseline } from './migrations/0001-baseline.ts';
import { taskApprovers } from './migrations/0002-task-approvers.ts';
import { attentionCompatible } from './migrations/0003-attention-compatible.ts';
import { reminders } from './migrations/0004-reminders.ts';
import { comments } from './migrations/0005-comments.ts';
import { mail } from './migrations/0006-mail.ts';
import { auditLog } from './migrations/0007-audit-log.ts';
import { passwordLinks } from './migrations/0008-password-links.ts';
import { singleSignOn } from './migrations/0009-single-sign-on.ts';
import { webhookSecrets } from './migrations/0010-webhook-secrets.ts';
import { roles } from './migrations/0011-roles.ts';
import { formLinks } from './migrations/0013-form-links.ts';
import { formLinkCodes } from './migrations/0014-form-link-codes.ts';
import { searchableValues } from './migrations/0015-searchable-values.ts';
import { passkeys } from './migrations/0016-passkeys.ts';
import { narrowerWrites } from './migrations/0017-narrower-writes.ts';
import { webhookLeases } from './migrations/0018-webhook-leases.ts';
import { valuesByTrigrams } from './migrations/0019-values-by-trigrams.ts';
import { auditActorCompatible } from './migrations/0020-audit-actor-compatible.ts';
import { orderedWebhooks } from './migrations/0021-ordered-webhooks.ts';
import { organizationMovesCompatible } from './migrations/0022-organization-moves-compatible.ts';
import { uncheckedAppendsCompatible } from './migrations/0023-unchecked-appends-compatible.ts';
import { dropReasonCompatible } from './migrations/0024-drop-reason-compatible.ts';
import { notificationsOfMailsCompatible } from './migrations/0025-notifications-of-mails-compatible.ts';
import { sqlMigration } from './migrations/sql-migration.ts';
import { pendingIn, readSchema, schemaProblem, type Schema } from './schema-problem.ts';

/** Every migration, oldest first. The database records the names of applied migrations. */
const migrations = [
  { name: '0001-baseline', sql: baseline },
  { name: '0002-task-approvers', sql: taskApprovers },
  { name: '0003-attention-compatible', sql: attentionCompatible },
  { name: '0004-reminders', sql: reminders },
  { name: '0005-comments', sql: comments },
  { name: '0006-mail', sql: mail },
  { name: '0007-audit-log', sql: auditLog },
  { name: '0008-password-links', sql: passwordLinks },
  { name: '0009-single-sign-on', sql: singleSignOn },
  { name: '0010-webhook-secrets', sql: webhookSecrets },
  { name: '0011-roles', sql: roles },
  { name: '0013-form-links', sql: formLinks },
  { name: '0014-form-link-codes', sql: formLinkCodes },
  { name: '0015-searchable-values', sql: searchableValues },
  { name: '0016-passkeys', sql: passkeys },
  { name: '0017-narrower-writes', sql: narrowerWrites },
  { name: '0018-webhook-leases', sql: webhookLeases },
  { name: '0019-values-by-trigrams', sql: valuesByTrigrams },
  { name: '0020-audit-actor-compatible', sql: auditActorCompatible },
  { name: '0021-ordered-webhooks', sql: orderedWebhooks },
  { name: '0022-organization-moves-compatible', sql: organizationMovesCompatible },
  { name: '0023-unchecked-appends-compatible', sql: uncheckedAppendsCompatible },
  { name: '0024-drop-reason-compatible', sql: dropReasonCompatible },
  { name: '0025-notifications-of-mails-compatible', sql: notificationsOfMailsCompatible },
].map(({ name, sql }) => ({ name, class: sqlMigration(sql) }));

/** The names of all migrations, oldest first. */
export const migrationNames = migrations.map(({ name }) => name);

/** Any fixed number: the key of the advisory lock with which processes that migrate a database wait for each other. */
const migrationLock = 7_786_927;

/** Requests of running processes wait behind a lock that a migration waits for, so it gives up before they would. */
const lockTimeout = '2s';
const maximumAttempts = 20;
const pauseMs = 1_000;

/**
 * Migrates a database to the latest version. If several processes start together, one migrates and the others wait.
 * Returns the names of the migrations that were applied. Throws a SchemaError, and writes nothing, if this program must
 * not use the database.
 */
export async function migrate(url: string): Promise<readonly string[]> {
  if (await leadsToPooler(url)) {
    const pending = await pendingMigrations(url);
    if (pending.length > 0) throw new SchemaError(`${lacks(pending)}: run "runward-admin migrate --up"${directly}`);
    return [];
  }
  return withClient(url, async (lock) => {
    // The end of the connection releases it.
    await lock.query('select pg_advisory_lock($1)', [migrationLock]);
    await findPending(lock);
    const schema = await createSchema(lock);
    const limited = withSetting(url, `lock_timeout=${lockTimeout}`);
    const orm = await MikroORM.init({
      clientUrl: url,
      driverOptions: { connectionString: limited },
      entities: [],
      discovery: { warnWhenNoEntities: false },
      extensions: [Migrator],
      schema,
      migrations: { migrationsList: migrations, snapshot: false, tableName: 'migrations', silent: true },
      pool: { max: 2 },
    });
    try {
      const applied = await repeated(() => orm.migrator.up());
      return applied.map(({ name }) => name);
    } finally {
      await closeDatabase(orm);
    }
  });
}

/** Repeats what is done completely or not at all while other transactions keep it from its locks. */
async function repeated<Result>(work: () => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (cause) {
      if (isForbidden(cause)) throw new SchemaError(forbidden);
      if (!isRetryable(cause) && !isLockTimeout(cause)) throw cause;
      if (attempt === maximumAttempts) throw new Error(locked, { cause });
      await pause(pauseMs);
    }
  }
}

const forbidden =
  'the user of the database may not create and change its tables: make it the owner of the database, or migrate as its ' +
  'owner with "runward-admin migrate --up"';

const locked =
  'The database was not migrated, because other transactions use its tables all the time. Wait for the end of long ones, ' +
  'such as a backup, which pg_stat_activity shows, or stop the processes of the service, and try again.';

/**
 * The names of the migrations that a database lacks, oldest first. Writes nothing. Throws a SchemaError if this program
 * must not use the database.
 */
export async function pendingMigrations(url: string): Promise<readonly string[]> {
  return withClient(url, findPending);
}

/** Throws a SchemaError unless a database has been migrated to the latest version. Writes nothing. */
export async function ensureMigrated(url: string): Promise<void> {
  const isPooled = await leadsToPooler(url);
  const pending = await pendingMigrations(url);
  if (pending.length === 0) return;
  const remedy = isPooled ? directly : ', or set MIGRATE_ON_START=true';
  throw new SchemaError(`${lacks(pending)}: run "runward-admin migrate --up"${remedy}`);
}

const directly = ' with the URL of PostgreSQL itself instead of that of the pooler';

function lacks(pending: readonly string[]): string {
  return `the database lacks ${numberOf(pending.length, 'migration')}, the first of which is ${pending[0]}`;
}

/**
 * The schema in which tables are created. Creates it if the search path is only the name of a schema that is missing.
 */
async function createSchema(client: Client): Promise<string> {
  const { rows } = await client.query<{ schema: string | null; path: string }>(
    `select current_schema() as schema, current_setting('search_path') as path`,
  );
  const [{ schema, path } = { schema: null, path: '' }] = rows;
  if (schema !== null) return schema;
  if (!schemaPattern.test(path)) {
    throw new SchemaError(
      `the search path of the database user (${path}) names no schema that exists: create the schema, or set DATABASE_SCHEMA`,
    );
  }
  await client.query(`create schema ${path}`);
  return path;
}

/** Reads the tables and migrations of the schema that a connection uses. */
export function readSchemaBy(client: Client): Promise<Schema> {
  return readSchema(async (text) => (await client.query<{ name: string | null }>(text)).rows);
}

async function findPending(client: Client): Promise<string[]> {
  const schema = await readSchemaBy(client);
  const problem = schemaProblem(schema, migrationNames);
  if (problem !== null) throw new SchemaError(problem);
  return pendingIn(schema, migrationNames);
}
