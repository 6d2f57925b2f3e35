import { readdirSync, readFileSync, statSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { newDataFolder } from '@runward/testing/data-folder';
import { createDatabase } from '@runward/testing/database';
import { listenOnLoopback } from '@runward/testing/http-server';
import { getRun, launchRun, must, publishProcess } from '@runward/testing/process';
import { startService, startServiceFor, type ServiceProcess } from '@runward/testing/service';
import { until } from '@runward/testing/until';
import test, { type ExecutionContext } from 'ava';

async function newDataDir(t: ExecutionContext): Promise<string> {
  const folder = await newDataFolder({ initialized: true });
  t.teardown(() => folder[Symbol.asyncDispose]());
  return folder.path;
}

async function stop(service: ServiceProcess): Promise<number | null> {
  service.child.kill('SIGTERM');
  return service.exited;
}

test('the first start creates an organization, writes credentials that only the owner can read, and stops cleanly', async (t) => {
  const dataDir = await newDataDir(t);
  const service = await startServiceFor(t, dataDir);

  const path = join(dataDir, 'credentials.json');
  t.is(statSync(path).mode & 0o777, 0o600);
  const credentials = JSON.parse(readFileSync(path, 'utf8')) as Record<string, string>;
  t.deepEqual(Object.keys(credentials), [
    'baseUrl',
    'organizationId',
    'apiKey',
    'ownerEmail',
    'ownerPassword',
    'signingSecret',
  ]);
  t.is(credentials['baseUrl'], service.baseUrl);
  const { templateId } = await publishProcess(service.api());
  const run = await launchRun(service.api(), templateId);

  // A stop that takes too long ends with another code.
  t.is(await stop(service), 0, service.log());
  t.true(service.log().includes(path));
  for (const secret of ['apiKey', 'ownerPassword', 'signingSecret']) {
    t.false(service.log().includes(credentials[secret] ?? '?'), `${secret} is in the log`);
  }

  const again = await startServiceFor(t, dataDir);
  t.is(readFileSync(path, 'utf8'), JSON.stringify(credentials, null, 2).concat('\n'));
  t.is((await getRun(again.api(), run.id)).status, 'RUNNING');
  t.is(await stop(again), 0, again.log());
});

test('a first start of another cell keeps the credentials that it finds in the folder', async (t) => {
  const { url, drop } = await createDatabase({ empty: true });
  t.teardown(drop);
  const dataDir = await newDataDir(t);
  await writeFile(join(dataDir, 'credentials.json'), 'those of the first cell');
  const service = await startServiceFor(t, dataDir, { DATABASE_URL: url });
  t.is((await service.api().call('runs', 'list')).status, 200);
  const kept = readdirSync(dataDir).filter((name) => /^credentials\.json\.\d+$/.test(name));
  t.deepEqual(
    kept.map((name) => readFileSync(join(dataDir, name), 'utf8')),
    ['those of the first cell'],
  );
});

for (const signal of ['SIGTERM', 'SIGHUP'] as const) {
  test(`a process that gets ${signal} while it starts stops cleanly, and its PostgreSQL with it`, async (t) => {
    const service = await startService(await newDataDir(t), { LOG_LEVEL: 'debug' });
    t.teardown(() => service.child.kill('SIGKILL'));
    await until(() => service.log().includes('"starting"'), 'the start');
    service.child.kill(signal);
    t.is(await service.exited, 0, service.log());
    const postgres = /PostgreSQL \S+ listening on .* \(process (\d+)\)/.exec(service.log())?.[1];
    t.throws(() => process.kill(Number(postgres), 0), { code: 'ESRCH' });
  });
}

test('changes that were confirmed survive kill -9, and the next start needs no repair', async (t) => {
  const dataDir = await newDataDir(t);
  const service = await startServiceFor(t, dataDir, { RATE_LIMIT_WRITES_PER_MINUTE: '100000' });
  const api = service.api();
  const { templateId } = await publishProcess(api);
  const answered: string[] = [];
  const killed = new AbortController();
  const launching = Promise.all(
    Array.from({ length: 4 }, async () => {
      while (!killed.signal.aborted) {
        const response = await api.call('runs', 'launch', { body: { templateId } }).catch(() => null);
        if (response?.status === 201) answered.push(response.body.id);
      }
    }),
  );
  await until(() => answered.length > 20, 'launches');
  service.child.kill('SIGKILL');
  await service.exited;
  killed.abort();
  await launching;

  const again = await startServiceFor(t, dataDir);
  const seen = new Set<string>();
  for (let cursor: string | null | undefined; cursor !== null;) {
    const page = await must(again.api().call('runs', 'list', cursor === undefined ? {} : { query: { cursor } }));
    for (const { id } of page.data) seen.add(id);
    cursor = page.nextCursor;
  }
  t.deepEqual(
    answered.filter((id) => !seen.has(id)),
    [],
  );
  t.is(await stop(again), 0, again.log());
});

test('when four processes start on an empty database, one migrates, one writes credentials, and all serve', async (t) => {
  const { url, drop } = await createDatabase({ empty: true });
  t.teardown(drop);
  const dataDir = await newDataDir(t);
  const services = await Promise.all(Array.from({ length: 4 }, () => startService(dataDir, { DATABASE_URL: url })));
  t.teardown(() => services.forEach(({ child }) => child.kill('SIGKILL')));
  await Promise.all(services.map((service) => service.ready()));
  for (const service of services) {
    t.is((await service.api().raw('GET', '/runs')).status, 200, service.log());
  }
  t.deepEqual(await Promise.all(services.map(stop)), [0, 0, 0, 0]);
});

test('a start with invalid variables lists all of them and ends', async (t) => {
  const service = await startService(await newDataDir(t), {
    LOG_LEVEL: 'info',
    DATABASE_URL: 'nonsense',
    BASE_URL: 'x',
    FILE_URL: 'x',
  });
  t.is(await service.exited, 78);
  t.regex(service.log(), /DATABASE_URL: must be a URL like postgres:[^]*BASE_URL: must be[^]*did you mean FILES_URL\?/);
  t.notRegex(service.log(), /"stack"/);
});

test('in production the embedded database starts only with DATABASE_URL=embedded', async (t) => {
  const dataDir = await newDataDir(t);
  const without = await startService(dataDir, { NODE_ENV: 'production' });
  t.is(await without.exited, 78);
  t.regex(without.log(), /DATABASE_URL: must be set with NODE_ENV=production, [^\n]* or to embedded/);
  t.notRegex(without.log(), /PostgreSQL 18/);

  const service = await startServiceFor(t, dataDir, { NODE_ENV: 'production', DATABASE_URL: 'embedded' });
  t.is(await stop(service), 0, service.log());
});

test('a second service on one data folder ends with a message, and the first continues', async (t) => {
  const dataDir = await newDataDir(t);
  const first = await startServiceFor(t, dataDir);
  const second = await startService(dataDir);
  t.is(await second.exited, 1);
  t.regex(second.log(), /The data folder \S+ is in use by another service or command\. Stop it first, or set DATA_DIR/);
  t.is((await first.api().raw('GET', '/runs')).status, 200);
  t.is(await stop(first), 0, first.log());
});

test('a service whose embedded PostgreSQL ends says where the reason is, and ends', async (t) => {
  const dataDir = await newDataDir(t);
  const service = await startServiceFor(t, dataDir);
  process.kill(Number(readFileSync(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8').split('\n')[0]), 'SIGKILL');
  t.is(await service.exited, 1);
  t.regex(
    service.log(),
    /PostgreSQL exited unexpectedly \(SIGKILL\)\. See why at the end of \S+postgres\.log, and start /,
  );
});

test('a start without a reachable database, or on a port in use, ends with a sentence that says what to do', async (t) => {
  const unreachable = await startService(await newDataDir(t), { DATABASE_URL: 'postgres://x:y@127.0.0.1:1/nothing' });
  t.is(await unreachable.exited, 1);
  t.regex(unreachable.log(), /"msg":"DATABASE_URL: connect ECONNREFUSED 127\.0\.0\.1:1; check its host[^"]*running\."/);
  const other = createServer();
  t.teardown(() => other.close());
  const PORT = String(await listenOnLoopback(other));
  const { url, drop } = await createDatabase();
  t.teardown(drop);
  const late = await startService(await newDataDir(t), { DATABASE_URL: url, PORT });
  t.is(await late.exited, 1);
  t.regex(late.log(), /"msg":"PORT: listen EADDRINUSE[^"]*; set PORT or HOST to one that is free on this machine\."/);
  const noFolder = await startService(join(import.meta.filename, 'data'), { DATABASE_URL: url });
  t.is(await noFolder.exited, 1);
  t.regex(noFolder.log(), /"msg":"DATA_DIR: ENOTDIR[^"]*; give a folder in which the user of the service may write\."/);
  for (const service of [unreachable, late, noFolder]) t.notRegex(service.log(), /"stack"/);
});
