import { randomUUID } from 'node:crypto';
import { createDatabase } from '@runward/testing/database';
import { until } from '@runward/testing/until';
import test, { type ExecutionContext } from 'ava';
import { migrate, migrationNames } from '../../src/database/migrate.ts';
import { schemaProblem } from '../../src/database/schema-problem.ts';
import { connectTo, connectToNew } from '../support/database/connect.ts';
import { onOnePostgres } from '../support/database/on-one-postgres.ts';

const waiting = 'from pg_locks join pg_stat_activity using (pid) where not granted and datname = current_database()';

async function emptyDatabase(t: ExecutionContext) {
  const { url, client } = await connectToNew(t, { empty: true });
  const namesIn = async (query: string) => (await client.query<{ name: string }>(query)).rows.map(({ name }) => name);
  return {
    url,
    client,
    connect: () => connectTo(t, url),
    tables: () => namesIn("select tablename as name from pg_tables where schemaname = 'public' order by 1"),
    migrations: () => namesIn('select name from migrations order by id'),
  };
}

test('several processes that migrate an empty database at once run each migration once', async (t) => {
  const { url, tables, migrations } = await emptyDatabase(t);
  await Promise.all([migrate(url), migrate(url), migrate(url)]);
  t.deepEqual(await migrations(), migrationNames);
  t.true((await tables()).includes('run_tasks'));
});

test('a second migration of a database changes nothing and keeps its rows', async (t) => {
  const { url, client, tables, migrations } = await emptyDatabase(t);
  await migrate(url);
  await client.query(`insert into organizations (id, name, plan, time_zone, signing_secret, created_at)
    values (gen_random_uuid(), 'Kept', 'FREE', 'UTC', 's', now())`);
  const before = await tables();
  await migrate(url);
  t.deepEqual(await tables(), before);
  t.deepEqual(await migrations(), migrationNames);
  t.is((await client.query('select from organizations')).rowCount, 1);
});

test('a migration that is killed midway leaves nothing behind, and the next one completes', async (t) => {
  const { url, client, connect, tables, migrations } = await emptyDatabase(t);
  const blocker = await connect();
  // The last statements of the baseline wait for this table, so that the migration is killed after most of its work.
  await blocker.query('begin; create table agenda_jobs ()');
  const killed = t.throwsAsync(migrate(url));
  await until(async () => (await client.query(`select ${waiting}`)).rowCount === 1, 'the migration to wait');
  await client.query(`select pg_terminate_backend(pid) ${waiting}`);
  await killed;
  await blocker.query('rollback');
  t.deepEqual(
    (await tables()).filter((name) => name !== 'migrations'),
    [],
  );
  await migrate(url);
  t.deepEqual(await migrations(), migrationNames);
});

/** A database that lacks the last two migrations, and a transaction that keeps them from a lock. */
async function lockedDatabase(t: ExecutionContext, lock: string) {
  const { url, client, connect, migrations } = await emptyDatabase(t);
  await migrate(url);
  await client.query("drop index notifications_mail_index; delete from migrations where name >= '0024'");
  await client.query(`begin; set local deadlock_timeout = '30s'; ${lock}`);
  const migrated = migrate(url);
  const observer = await connect();
  await until(async () => (await observer.query(`select ${waiting}`)).rowCount === 1, 'the migration to wait');
  return { other: client, observer, migrated, migrations };
}

test('requests that wait behind a migration that waits for a lock go on, and it gets the lock later', async (t) => {
  const { other, observer, migrated, migrations } = await lockedDatabase(t, 'lock notifications in access share mode');
  await observer.query("set lock_timeout = '5s'");
  await t.notThrowsAsync(observer.query('select from notifications'));
  await other.query('rollback');
  await migrated;
  t.deepEqual(await migrations(), migrationNames);
});

test('a migration that PostgreSQL rolls back because of a deadlock is repeated', async (t) => {
  const { other, migrated, migrations } = await lockedDatabase(t, 'lock migrations in share mode');
  await t.notThrowsAsync(other.query('select from notifications'));
  await other.query('rollback');
  await migrated;
  t.deepEqual(await migrations(), migrationNames);
});

test('a database of another program or version is refused in one sentence, and nothing is written to it', async (t) => {
  const ours = async (url: string) => migrate(url);
  const cases: [problem: RegExp, statement: string, prepare?: (url: string) => Promise<unknown>][] = [
    [
      /newer than this program, which does not know its migration 0002-future/,
      "insert into migrations (name) values ('0002-future')",
      ours,
    ],
    [/tables, but no migrations/, 'create table customers (id int)'],
    [
      /another program, or of a version .* \(its first migration is \?\)/,
      'create table migrations (migration text); insert into migrations values (null)',
    ],
    [/cannot upgrade \(its first migration is 0001-initial\)/, "update migrations set name = '0001-initial'", ours],
    [/half migrated, without the tables portal_pages/, 'drop table portal_pages cascade', ours],
    [/tables, but no migrations/, 'delete from migrations', ours],
  ];
  for (const [problem, statement, prepare] of cases) {
    const { url, client, tables } = await emptyDatabase(t);
    await prepare?.(url);
    await client.query(statement);
    const before = await tables();
    const error = await t.throwsAsync(migrate(url), { name: 'SchemaError', message: problem });
    t.regex(error?.message ?? '', /^The database [^.]+\.$/);
    t.deepEqual(await tables(), before);
  }
});

test('a database whose user may not create tables is refused with what to do', async (t) => {
  const { url, client } = await emptyDatabase(t);
  const role = `reader_${randomUUID().slice(0, 8)}`;
  await client.query(`create role ${role} login password 'pw'`);
  t.teardown(() => client.query(`drop role ${role}`));
  const asReader = Object.assign(new URL(url), { username: role, password: 'pw' });
  const message = /^The user of the database may not create and change its tables: make it the owner/;
  await t.throwsAsync(migrate(asReader.href), { name: 'SchemaError', message });
});

onOnePostgres('a database that cannot keep every text is refused while it is empty', async (t) => {
  const { url, drop } = await createDatabase({ encoding: 'SQL_ASCII' });
  t.teardown(drop);
  const message = 'The database has the encoding SQL_ASCII: create it from template0 with the encoding UTF8.';
  await t.throwsAsync(migrate(url), { name: 'SchemaError', message });
});

test('an old version of PostgreSQL is refused, whatever the database has', (t) => {
  const server = { version: '14.9 (Debian)', versionNumber: 140_009, encoding: 'UTF8' };
  const problem = schemaProblem({ tables: new Set(), applied: migrationNames, server }, migrationNames);
  t.is(problem, 'the database is of PostgreSQL 14.9 (Debian): use PostgreSQL 15 or newer');
});

test('a database with newer migrations that are compatible is accepted', async (t) => {
  const { url, client } = await emptyDatabase(t);
  await migrate(url);
  await client.query("insert into migrations (name) values ('0002-small-compatible')");
  await t.notThrowsAsync(migrate(url));
});

test('a newer migration that is compatible since another one is accepted by programs that know that one', async (t) => {
  const { url, client } = await emptyDatabase(t);
  await migrate(url);
  await client.query("insert into migrations (name) values ('0098-drop-compatible-since-0002')");
  await t.notThrowsAsync(migrate(url));
  await client.query("insert into migrations (name) values ('0099-drop-compatible-since-0098')");
  await t.throwsAsync(migrate(url), { message: /does not know its migration 0099-drop-compatible-since-0098/ });
});
