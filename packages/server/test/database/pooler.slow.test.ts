import { newDataFolder } from '@runward/testing/data-folder';
import { findPgbouncer, startPgbouncer, type PgbouncerProgram } from '@runward/testing/postgres/pgbouncer';
import { findReplicationPrograms, startPostgresServer, type PostgresServer } from '@runward/testing/postgres/server';
import { launchRun, must, publishProcess } from '@runward/testing/process';
import { startProgram } from '@runward/testing/program';
import { startService, startServiceFor } from '@runward/testing/service';
import anyTest, { type ExecutionContext } from 'ava';
import { Client } from 'pg';
import { adminIn } from '../support/admin.ts';

const [binaries, program] = [findReplicationPrograms(), findPgbouncer()];
// Without PgBouncer and a PostgreSQL that listens on TCP, there is nothing to test with.
const test = binaries === null || program === null ? anyTest.serial.skip : anyTest.serial;

let server: PostgresServer;
let databases = 0;

anyTest.before(async () => {
  if (binaries !== null) server = await startPostgresServer({ binaries });
});
anyTest.after.always(() => server?.stop());

/** A new database and PgBouncer in front of its server, with settings changed by `change`. */
async function newDatabase(t: ExecutionContext, change?: (settings: string) => string) {
  const name = `pooled${(databases += 1)}`;
  const client = new Client({ connectionString: server.url() });
  await client.connect();
  await client.query(`create database ${name}`);
  await client.end();
  const pooler = await startPgbouncer(program as PgbouncerProgram, server.port, change);
  t.teardown(() => pooler.stop());
  return { name, direct: server.url(name), pooled: pooler.url(name) };
}

/** How the service reaches a database through this version of PgBouncer. */
function through(url: string): Record<string, string> {
  return { DATABASE_URL: url, DATABASE_PREPARED_STATEMENTS: String(program?.knowsPreparedStatements) };
}

/** Starts a service that must not start. Returns what it says. */
async function refusal(t: ExecutionContext, env: Record<string, string>): Promise<string> {
  await using folder = await newDataFolder();
  const service = await startService(folder.path, env);
  t.is(await service.exited, 78);
  return service.log();
}

async function migrated(url: string, env: Record<string, string> = {}): Promise<void> {
  await adminIn({ DATABASE_URL: url, ...env }).json(['migrate', '--up']);
}

test('behind PgBouncer, runs are launched, and a cell is served under a name of its own', async (t) => {
  const inCell = "connect_query='set search_path = cell_b;";
  const { name, direct, pooled } = await newDatabase(t, (settings) => {
    const line = settings.split('\n').find((each) => each.startsWith('* =')) ?? '';
    const ofCell = line.replace('* =', 'other =').replace("connect_query='", inCell);
    return settings.replace(line, `${ofCell.replace('host=', `dbname=pooled${databases} host=`)}\n${line}`);
  });
  await migrated(direct);
  await migrated(direct, { DATABASE_SCHEMA: 'cell_b' });
  const inOther = pooled.replace(`/${name}`, '/other');
  for (const env of [through(pooled), { ...through(inOther), DATABASE_SCHEMA: 'cell_b' }]) {
    await using folder = await newDataFolder();
    const service = await startServiceFor(t, folder.path, env);
    const api = service.api();
    const { templateId } = await publishProcess(api);
    await Promise.all(Array.from({ length: 20 }, () => launchRun(api, templateId)));
    t.is((await must(api.call('runs', 'list', { query: { limit: 1 } }))).total, 20);
    service.child.kill('SIGTERM');
    await service.exited;
  }
  const check = startProgram('packages/server/src/bin.ts', ['--check'], { env: through(pooled) });
  await check.ended;
  t.regex(check.stdout(), /PostgreSQL [\d.]+ behind a pooler, migrations up to date/);
});

test('migrations and the commands of cells are refused behind PgBouncer, with the remedy', async (t) => {
  const { pooled } = await newDatabase(t);
  const env = through(pooled);
  t.regex(
    await refusal(t, env),
    /The database lacks \d+ migrations.+: run \\"runward-admin migrate --up\\" with the URL of PostgreSQL itself/,
  );
  const { code, stderr } = await adminIn(env).run(['cells', 'create', 'cell_a']);
  t.is(code, 1);
  t.regex(stderr, /DATABASE_URL leads to a pooler\. Give this command the URL of PostgreSQL itself/);
});

test('prepared statements that PgBouncer does not keep apart are refused', async (t) => {
  const { direct, pooled } = await newDatabase(t, (settings) => settings.replace('statements = 500', 'statements = 0'));
  await migrated(direct);
  t.regex(
    await refusal(t, { DATABASE_URL: pooled }),
    /does not keep the prepared statements of its clients apart: set DATABASE_PREPARED_STATEMENTS=false/,
  );
});

test('a pooler without limits of time, that leads to another schema, or that refuses settings is refused', async (t) => {
  const unlimited = await newDatabase(t, (settings) => settings.replace(/^(\* = .*) connect_query=.*/m, '$1'));
  t.regex(
    await refusal(t, through(unlimited.pooled)),
    /without limits of time: set statement_timeout, lock_timeout, idle_in_transaction_session_timeout in the connect_query/,
  );
  const { direct, pooled } = await newDatabase(t);
  await migrated(direct);
  await migrated(direct, { DATABASE_SCHEMA: 'cell_a' });
  t.regex(
    await refusal(t, { ...through(pooled), DATABASE_SCHEMA: 'cell_a' }),
    /leads to the schema .+public instead of cell_a: set search_path to cell_a in the connect_query/,
  );
  const refusing = await newDatabase(t, (settings) => settings.replace(/^ignore_startup_parameters.*/m, ''));
  t.regex(
    await refusal(t, through(refusing.pooled)),
    /refuses the settings of connections \(.+\): set ignore_startup_parameters/,
  );
});
