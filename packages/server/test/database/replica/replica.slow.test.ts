import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { contract, type Endpoint } from '@runward/contract';
import { apiOf, signIn, type Api } from '@runward/testing/api';
import {
  findReplicationPrograms,
  startPostgresServer,
  startReplicaOf,
  type PostgresServer,
} from '@runward/testing/postgres/server';
import { launchRun, must, publishProcess } from '@runward/testing/process';
import { startProgram } from '@runward/testing/program';
import { startService, type ServiceProcess } from '@runward/testing/service';
import { startProxy, type TcpProxy } from '@runward/testing/tcp-proxy';
import { until } from '@runward/testing/until';
import anyTest from 'ava';
import { Client } from 'pg';
import { publishedPortal } from '../../support/portals.ts';

const binaries = findReplicationPrograms();
// Without PostgreSQL's programs for replication, there is no replica to test with.
const test = binaries === null ? anyTest.serial.skip : anyTest.serial;

let primary: PostgresServer;
let replica: PostgresServer;
/** Between the service and the replica. */
let proxy: TcpProxy;
let service: ServiceProcess;
let api: Api;
let owner: Api;
let templateId: string;

async function query(server: PostgresServer, text: string, database = 'runward'): Promise<unknown[]> {
  const client = new Client({ connectionString: server.url(database) });
  client.on('error', () => {});
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}

/** The endpoints that may read at the replica. */
const endpoints = Object.values(contract)
  .flatMap((group): Endpoint[] => Object.values(group))
  .filter(({ reads }) => reads !== undefined);

const stack = new AsyncDisposableStack();

function startOn(readUrl: string, dataDir = mkdtempSync(join(tmpdir(), 'runward-replica-'))): Promise<ServiceProcess> {
  stack.defer(() => rmSync(dataDir, { recursive: true, force: true }));
  return startService(dataDir, {
    DATABASE_URL: primary.url('runward'),
    DATABASE_READ_URL: readUrl,
    RATE_LIMIT_READS_PER_MINUTE: '1000000',
    RATE_LIMIT_WRITES_PER_MINUTE: '1000000',
  });
}

if (binaries !== null) {
  anyTest.before(async () => {
    // With asynchronous commits, a replica gets a change up to 0.2 s later.
    primary = await startPostgresServer({ binaries, settings: { synchronous_commit: 'on' } });
    stack.defer(() => primary.stop());
    await query(primary, 'create database runward', 'postgres');
    replica = await startReplicaOf(primary, { max_standby_streaming_delay: '0' });
    stack.defer(() => replica.stop());
    const dataDir = mkdtempSync(join(tmpdir(), 'runward-replica-'));
    proxy = stack.use(await startProxy({ host: '127.0.0.1', port: replica.port }));
    service = await startOn(`postgres://postgres@127.0.0.1:${proxy.port}/runward`, dataDir);
    stack.defer(() => void service.child.kill('SIGKILL'));
    await service.ready();
    api = service.api();
    const { ownerEmail, ownerPassword } = JSON.parse(readFileSync(join(dataDir, 'credentials.json'), 'utf8')) as Record<
      string,
      string
    >;
    owner = await signIn(service.baseUrl, ownerEmail ?? '', ownerPassword ?? '');
    ({ templateId } = await publishProcess(api));
    await untilInUse(1);
  });
}
anyTest.after.always(() => stack.disposeAsync());

async function figure(line: string, { baseUrl } = service): Promise<number | null> {
  const text = await (await fetch(`${baseUrl}/metrics`)).text();
  const found = text.split('\n').find((each) => each.startsWith(`${line} `));
  return found === undefined ? null : Number(found.slice(line.length + 1));
}

const untilInUse = (value: 0 | 1) =>
  until(async () => (await figure('database_replica_in_use')) === value, `database_replica_in_use to be ${value}`, 60);

async function reads(): Promise<{ primary: number; replica: number }> {
  const of = async (source: string) => (await figure(`database_replica_reads_total{source="${source}"}`)) ?? NaN;
  return { primary: await of('primary'), replica: await of('replica') };
}

// What it replays at once can cancel this statement, which has had its effect then.
const resume = () => query(replica, 'select pg_wal_replay_resume()').catch(() => {});

const launched = async () => (await must(api.call('analytics', 'summary'))).total;

/** The list of runs, for a request that accepts an older state. */
const staleRuns = async (maxStale: string) => {
  const response = await api.raw('GET', '/runs?limit=1', { headers: { 'cache-control': maxStale } });
  return { age: response.headers.get('age'), total: (response.body as { total: number }).total };
};

test('analytics are read at the replica and contain what was written just before, also under load', async (t) => {
  const before = await reads();
  const stop = new AbortController();
  const load = async () => {
    while (!stop.signal.aborted) await launchRun(api, templateId);
  };
  const loaders = Promise.all([load(), load()]);
  const own = await publishProcess(api);
  for (let count = 1; count <= 40; count += 1) {
    await launchRun(api, own.templateId);
    const summary = await must(api.call('analytics', 'summary', { query: { templateId: own.templateId } }));
    t.is(summary.total, count);
  }
  stop.abort();
  await loaders;
  const after = await reads();
  t.log({ replica: after.replica - before.replica, primary: after.primary - before.primary });
  t.true(after.replica - before.replica >= 40);
});

test('everything that may be read at the replica is read there, without a statement that it rejects', async (t) => {
  const run = await launchRun(api, templateId);
  const { portal } = await publishedPortal(owner, [{ type: 'RUN_LIST', filters: {} }]);
  const columns = [{ name: 'Name', type: 'TEXT' as const }];
  const source = await must(owner.call('dataSources', 'create', { body: { name: 'Suppliers', columns } }));
  const view = await must(owner.call('savedViews', 'create', { body: { name: 'All', filters: {} } }));
  const paths = [
    ...endpoints.flatMap(({ method, path }) => (method === 'GET' && !path.includes(':') ? [path] : [])),
    `/portals/by-slug/${portal.slug}/view`,
    `/p/${portal.slug}`,
    `/runs/${run.id}/export/csv`,
    `/runs/${run.id}/export/pdf`,
    `/templates/${templateId}/runs`,
    `/data-sources/${source.id}/rows`,
    `/saved-views/${view.id}/runs`,
  ];
  t.true(paths.length >= 20);
  for (const path of paths) {
    // On a busy machine, the replica may once take too long to catch up.
    const isReadThere = async () => {
      const before = await reads();
      const { status } = await owner.raw('GET', path, { headers: { 'cache-control': 'max-stale' } });
      t.is(status, 200, path);
      const after = await reads();
      return after.replica > before.replica && after.primary === before.primary;
    };
    await until(isReadThere, `${path} to be read at the replica`);
  }
  for (const path of ['/runs/analytics/filtered', '/runs/analytics/advanced/filtered', '/saved-views/preview']) {
    const before = await reads();
    const headers = { 'cache-control': 'max-stale' };
    t.is((await owner.raw('POST', path, { body: { filters: {} }, headers })).status, 200, path);
    t.true((await reads()).replica > before.replica, path);
  }
  const log = (await owner.raw('GET', '/audit-log/export')).body as string;
  const before = log.split('\r\n').filter((line) => line.includes('audit_log.exported')).length;
  const next = (await owner.raw('GET', '/audit-log/export')).body as string;
  const after = next.split('\r\n').filter((line) => line.includes('audit_log.exported')).length;
  t.is(after, before + 1, 'an export has its own line');
});

test('while the replica does not replay, responses come from the primary unless an older state is accepted', async (t) => {
  const total = (await staleRuns('max-stale=5')).total;
  const before = await launched();
  await query(replica, 'select pg_wal_replay_pause()');
  t.teardown(resume);
  await launchRun(api, templateId);
  t.is(await launched(), before + 1);

  const stale = await staleRuns('max-stale=5');
  t.is(stale.total, total);
  t.true(Number(stale.age) >= 1 && Number(stale.age) <= 5, `the age is ${stale.age}`);
  t.deepEqual(await staleRuns('no-cache'), { age: null, total: total + 1 });
  t.deepEqual(await staleRuns('max-stale=x'), { age: null, total: total + 1 });

  const body = { name: 'Short-lived', scopes: ['runs:read' as const] };
  const { plainKey, id } = await must(owner.call('apiKeys', 'create', { body }));
  const holder = apiOf(service.baseUrl, plainKey);
  const list = () => holder.raw('GET', '/runs', { headers: { 'cache-control': 'max-stale' } });
  t.is((await list()).status, 200);
  t.is((await owner.call('apiKeys', 'revoke', { params: { id } })).status, 204);
  t.is((await list()).status, 401);

  await untilInUse(0);
  t.true(((await figure('database_replica_lag_seconds')) ?? 0) > 5);
  t.deepEqual(await staleRuns('max-stale=60'), { age: null, total: total + 1 });
  t.is((await api.raw('GET', '/health/ready')).status, 200);
  await resume();
  await untilInUse(1);
  t.is((await staleRuns('max-stale=5')).total, total + 1);
});

test('if the replica dies, no request fails, and it is used again when it is back', async (t) => {
  const own = await publishProcess(api);
  const stop = new AbortController();
  let count = 0;
  const statuses = new Map<number, number>();
  const read = async (path: string) => {
    while (!stop.signal.aborted) {
      const { status } = await api.raw('GET', path, { headers: { 'cache-control': 'max-stale=5' } });
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }
  };
  const paths = ['/runs/analytics/advanced', '/runs/export/csv', '/runs', '/runs/analytics/export/csv'];
  const readers = paths.map(read);
  for (let round = 0; round < 2; round += 1) {
    const start = await replica.takeDown();
    await launchRun(api, own.templateId);
    count += 1;
    t.is((await must(api.call('analytics', 'summary', { query: { templateId: own.templateId } }))).total, count);
    await untilInUse(0);
    t.is((await api.raw('GET', '/health/ready')).status, 200);
    await start();
    await untilInUse(1);
  }
  stop.abort();
  await Promise.all(readers);
  t.log(Object.fromEntries(statuses));
  t.deepEqual([...statuses.keys()], [200]);
  const before = await reads();
  await launched();
  t.true((await reads()).replica > before.replica);
});

test('if the replica hangs, no request fails, also of those in progress', async (t) => {
  const began = performance.now();
  const readers = Array.from({ length: 8 }, async () => {
    const responses = [];
    while (performance.now() - began < 4_000) responses.push((await api.raw('GET', '/runs/analytics/advanced')).status);
    return responses;
  });
  await until(() => performance.now() - began > 500, 'requests in progress');
  proxy.freeze();
  t.teardown(() => proxy.restore());
  t.deepEqual([...new Set((await Promise.all(readers)).flat())], [200]);
  t.is(await figure('database_replica_in_use'), 0);
  proxy.restore();
  await untilInUse(1);
});

test('statements that the replica cancels to replay a change are repeated on the primary', async (t) => {
  const stop = new AbortController();
  const vacuum = async () => {
    while (!stop.signal.aborted) {
      await query(primary, 'update organizations set name = name');
      await query(primary, 'vacuum full organizations');
    }
  };
  const vacuuming = vacuum();
  const before = await reads();
  for (let round = 0; round < 60; round += 1) t.is((await api.raw('GET', '/runs/analytics/advanced')).status, 200);
  const after = await reads();
  t.log({ replica: after.replica - before.replica, primary: after.primary - before.primary });
  t.true(after.replica > before.replica && after.primary > before.primary);
  stop.abort();
  await vacuuming;
});

/** What `--check` says about a replica. */
async function check(readUrl: string): Promise<string> {
  const env = { DATABASE_URL: primary.url('runward'), DATABASE_READ_URL: readUrl, DATA_DIR: tmpdir() };
  const program = startProgram('packages/server/src/bin.ts', ['--check'], { env });
  await program.ended;
  return program.stdout().match(/^.*read replica.*$/m)?.[0] ?? '';
}

test('--check says whether the replica can be used', async (t) => {
  t.regex(await check(replica.url('runward')), /^ok +read replica +it is a replica of the database, and has what/);
  t.regex(await check('postgres://postgres@127.0.0.1:1/runward'), /^wrong .* DATABASE_READ_URL: connect ECONNREFUSED/);
  await query(replica, 'select pg_wal_replay_pause()');
  t.teardown(resume);
  await launchRun(api, templateId);
  t.regex(await check(replica.url('runward')), /^wrong .* DATABASE_READ_URL: .* did not catch up within 3 s; check/);
});

test('a server that is no replica of the database is not read, and the log says why', async (t) => {
  t.timeout(180_000);
  const stranger = await startPostgresServer({ binaries: primary.binaries });
  t.teardown(() => stranger.stop());
  const cases = [
    [stranger.url(), 'it belongs to another cluster'],
    [replica.url('postgres'), 'it is another database of the same cluster'],
    [primary.url('runward'), 'it is no replica but a primary'],
  ] as const;
  for (const [url, reason] of cases) {
    const other = await startOn(url);
    t.teardown(() => void other.child.kill('SIGKILL'));
    await other.ready();
    await until(() => other.log().includes(reason), `the log to say that ${reason}`, 60);
    t.is(await figure('database_replica_in_use', other), 0);
    t.regex(await check(url), new RegExp(`^wrong .* DATABASE_READ_URL: ${reason}.*; give`));
    other.child.kill('SIGTERM');
    t.is(await other.exited, 0);
  }
});
