import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { contract } from '@runward/contract';
import { apiOf, type Api } from '@runward/testing/api';
import { createDatabase } from '@runward/testing/database';
import { startServiceFor, type ServiceProcess } from '@runward/testing/service';
import { until } from '@runward/testing/until';
import test, { type ExecutionContext } from 'ava';
import { Client } from 'pg';

async function start(t: ExecutionContext): Promise<{ service: ServiceProcess; api: Api; databaseUrl: string }> {
  const { url: databaseUrl, drop } = await createDatabase();
  t.teardown(drop);
  const dataDir = mkdtempSync(join(tmpdir(), 'runward-health-'));
  t.teardown(() => rmSync(dataDir, { recursive: true, force: true }));
  const service = await startServiceFor(t, dataDir, { DATABASE_URL: databaseUrl });
  return { service, api: apiOf(service.baseUrl, null), databaseUrl };
}

/** Closes a database to all connections and terminates the existing ones, or opens it again. */
async function open(databaseUrl: string, isOpen: boolean): Promise<void> {
  const url = new URL(databaseUrl);
  const name = url.pathname.slice(1);
  const client = new Client({ connectionString: Object.assign(url, { pathname: '/postgres' }).href });
  await client.connect();
  await client.query(`alter database ${name} allow_connections ${isOpen}`);
  if (!isOpen) await client.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [name]);
  await client.end();
}

test.serial('a service whose database is unreachable is live, not ready with a reason, and recovers', async (t) => {
  const { service, api, databaseUrl } = await start(t);
  t.deepEqual((await api.call('health', 'ready')).body, { status: 'ok' });

  await open(databaseUrl, false);
  const unready = await api.call('health', 'ready');
  t.is(unready.status, 503);
  t.like(unready.error, { error: 'Service Unavailable', message: 'Not ready: the database does not respond.' });
  t.deepEqual((await api.call('health', 'live')).body, { status: 'ok' });
  t.is((await api.raw('GET', '/metrics').catch(() => ({ status: 200 }))).status, 200);

  await open(databaseUrl, true);
  await until(async () => (await api.call('health', 'ready')).status === 200, 'the service to be ready again');
  t.is(service.child.exitCode, null, service.log());
});

test.serial('readiness reports that the service is stopping', async (t) => {
  const { service } = await start(t);
  const socket = connect(Number(new URL(service.baseUrl).port), '127.0.0.1');
  await once(socket, 'connect');
  // A partial request keeps its connection open while the service stops listening.
  socket.write(`GET ${contract.health.ready.path} HTTP/1.1\r\nhost: x\r\n`);
  await until(
    async () => (await fetch(`${service.baseUrl}/health/live`)).status === 200,
    'the half request to be seen',
  );
  service.child.kill('SIGTERM');
  await until(() => service.log().includes('SIGTERM received'), 'the signal');
  socket.write('connection: close\r\n\r\n');
  const answer = await text(socket);
  t.regex(answer, /^HTTP\/1\.1 503 [^]*Not ready: the service is stopping\./);
  t.is(await service.exited, 0, service.log());
});

test.serial('a request in progress gets its response after SIGTERM, and then its connection is closed', async (t) => {
  const { service } = await start(t);
  const socket = connect(Number(new URL(service.baseUrl).port), '127.0.0.1');
  await once(socket, 'connect');
  const body = JSON.stringify({ email: 'nobody@example.com', password: 'wrong' });
  const headers = `host: x\r\ncontent-type: application/json\r\ncontent-length: ${body.length}`;
  socket.write(`POST ${contract.auth.login.path} HTTP/1.1\r\n${headers}\r\n\r\n${body.slice(0, 10)}`);
  await until(
    async () => (await fetch(`${service.baseUrl}/health/live`)).status === 200,
    'the half request to be seen',
  );
  service.child.kill('SIGTERM');
  await pause(3_000);
  socket.write(body.slice(10));
  const answer = await text(socket);
  t.regex(answer, /^HTTP\/1\.1 401 [^]*\r\nconnection: close\r\n/i);
  t.is(await service.exited, 0, service.log());
});

test.serial('liveness responds while other requests wait for the database', async (t) => {
  const { service, api } = await start(t);
  const logIn = (_: unknown, n: number) =>
    api.call('auth', 'login', { body: { email: `nobody-${n}@example.com`, password: 'wrong' } });
  const keys = service.api();
  // Sign-ins wait for the limit on concurrent password hashes, reads for the ten database connections.
  const load = [
    ...Array.from({ length: 40 }, logIn),
    ...Array.from({ length: 30 }, async () => {
      for (let n = 0; n < 10; n += 1) await keys.raw('GET', '/runs');
    }),
  ];
  let responses = 0;
  const over = new AbortController();
  const settled = Promise.allSettled(load).then(() => over.abort());
  while (!over.signal.aborted) {
    t.is((await api.call('health', 'live')).status, 200);
    if (!over.signal.aborted) responses += 1;
  }
  await settled;
  t.true(responses > 3, `${responses} responses while the load lasted`);
});
