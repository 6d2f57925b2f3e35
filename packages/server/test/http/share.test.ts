import { once } from 'node:events';
import {
  createServer,
  request as open,
  type IncomingMessage,
  type RequestListener,
  type ServerResponse,
} from 'node:http';
import { connect, type Socket } from 'node:net';
import { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { defaultLimits } from '@runward/contract';
import { useApp } from '@runward/testing/app';
import { closeServer, listenOnLoopback } from '@runward/testing/http-server';
import { newOrganization } from '@runward/testing/organization';
import { launchRun, publishProcess } from '@runward/testing/process';
import { until } from '@runward/testing/until';
import test, { type ExecutionContext } from 'ava';
import Koa from 'koa';
import { limitSlowness } from '../../src/http/body/receiving-time.ts';
import { listen } from '../../src/http/listen.ts';
import { newSource } from '../support/data-sources.ts';
import { holdRow } from '../support/database/hold-row.ts';

const app = useApp(test, { limits: { requestsInWork: 1, requestsWaiting: 1, receivingBytes: 16_000 } });

test.serial(
  'while an organization has as much in work as it may, its next request waits, one more is a 429, and others are served',
  async (t) => {
    const { api } = await newOrganization(app);
    const other = await newOrganization(app);
    const { templateId } = await publishProcess(api);
    const run = await launchRun(api, templateId);
    const unlock = await holdRow(app, 'runs', run.id);
    const rename = () => api.call('runs', 'update', { params: { id: run.id }, body: { title: 'Other' } });
    const all = Array.from({ length: 3 }, rename);
    const rejected = await Promise.race(all);
    t.is(rejected.status, 429);
    t.is(rejected.headers.get('retry-after'), '1');
    t.is((await other.api.call('runs', 'list')).status, 200);
    await unlock();
    t.deepEqual(
      (await Promise.all(all)).map(({ status }) => status).toSorted((a, b) => a - b),
      [200, 200, 429],
    );
    t.is((await rename()).status, 200);
  },
);

test.serial('changes of data sources wait for each other, and other requests of the organization do not', async (t) => {
  const { api } = await newOrganization(app);
  const { id, cells } = await newSource(api, ['Name']);
  const create = () =>
    api.call('dataSources.rows', 'create', { params: { id }, body: { cells: cells({ Name: 'Acme' }) } });
  const unlock = await holdRow(app, 'data_sources', id);
  const all = Array.from({ length: 3 }, create);
  t.is((await Promise.race(all)).status, 429);
  t.is((await api.call('runs', 'list')).status, 200);
  await unlock();
  t.deepEqual(
    (await Promise.all(all)).map(({ status }) => status).toSorted((a, b) => a - b),
    [201, 201, 429],
  );
});

test.serial('requests of language models have a share of their own, which their tools do not wait for', async (t) => {
  const { api, apiKey } = await newOrganization(app);
  const { templateId } = await publishProcess(api);
  const run = await launchRun(api, templateId);
  const message = { jsonrpc: '2.0', id: 1, method: 'tools/call' };
  const rename = async (title = 'Other') => {
    const params = { name: 'runs_update', arguments: { id: run.id, body: { title } } };
    const response = await fetch(`${app.baseUrl}/mcp?groups=runs`, {
      method: 'POST',
      headers: {
        accept: 'application/json, text/event-stream',
        'content-type': 'application/json',
        authorization: `Bearer ${apiKey}`,
      },
      body: JSON.stringify({ ...message, params }),
    });
    return { status: response.status, text: await response.text() };
  };
  const unlock = await holdRow(app, 'runs', run.id);
  const all = Array.from({ length: 3 }, () => rename());
  t.is((await Promise.race(all)).status, 429);
  await unlock();
  const renamed = (await Promise.all(all)).filter(({ status }) => status === 200);
  t.is(renamed.length, 2);
  for (const { text } of renamed) t.notRegex(text, /"isError":true/);

  const long = await Promise.all([rename('a'.repeat(9_000)), rename('b'.repeat(9_000))]);
  t.deepEqual(
    long.map(({ status }) => status).toSorted((a, b) => a - b),
    [200, 429],
  );
});

test('forms of pages count as bodies that are being sent, also those of strangers', async (t) => {
  const headers = { 'content-type': 'application/x-www-form-urlencoded', 'x-forwarded-for': '192.0.2.7' };
  const slow = open(`${app.baseUrl}/sign-in`, { method: 'POST', headers: { ...headers, 'content-length': 15_000 } });
  slow.on('error', () => {});
  slow.write('email=');
  const send = async () => {
    const body = `email=${'x'.repeat(2_000)}`;
    return (await fetch(`${app.baseUrl}/sign-in`, { method: 'POST', headers, body })).status;
  };
  await until(async () => (await send()) === 429, 'the slow form to be counted');
  slow.destroy();
  await until(async () => (await send()) === 403, 'the slow form to be forgotten');
  t.pass();
});

test('an address that has as many connections as it may gets no further one, unless it is a proxy', async (t) => {
  const openConnections = async (trustedProxies: number) => {
    const limits = { ...defaultLimits, connectionsPerAddress: 3 };
    const { port, close } = await listen(new Koa(), '127.0.0.1', 0, { limits, trustedProxies });
    const sockets = Array.from({ length: 5 }, () =>
      connect(port, '127.0.0.1')
        .on('error', () => {})
        .resume(),
    );
    t.teardown(() => close(0));
    t.teardown(() => sockets.forEach((socket) => socket.destroy()));
    const open = () => sockets.filter((socket) => !socket.closed).length;
    await Promise.all(sockets.map((socket) => once(socket, 'connect')));
    return { open, endOne: () => sockets.find((socket) => !socket.closed)?.destroy(), port };
  };
  const limited = await openConnections(0);
  await until(async () => limited.open() === 3, 'the surplus connections to be closed');
  limited.endOne();
  await until(
    async () => (await fetch(`http://127.0.0.1:${limited.port}`).catch(() => null))?.status === 404,
    'a free connection',
  );

  const proxied = await openConnections(1);
  t.is((await fetch(`http://127.0.0.1:${proxied.port}`)).status, 404);
  t.is(proxied.open(), 5);
});

/** A server that demands 100,000 bytes per second of its clients, measured over periods of `periodMs`. */
async function limitedServer(t: ExecutionContext, respond: RequestListener, periodMs: number) {
  const server = createServer(respond);
  limitSlowness(server, 100_000, periodMs);
  const port = await listenOnLoopback(server);
  t.teardown(() => closeServer(server));
  return { server, port };
}

test('the connection of a client that sends or receives too slowly is closed', async (t) => {
  const content = Buffer.alloc(50_000_000);
  const respond = (request: IncomingMessage, response: ServerResponse) => {
    request.resume().once('end', () => response.end(content));
  };
  const { port } = await limitedServer(t, respond, 100);

  const sender = open({ port, method: 'POST', headers: { 'content-length': 1_000 } });
  sender.write('a');
  await t.throwsAsync(once(sender, 'response'), { code: 'ECONNRESET' });

  const fast = open({ port, method: 'POST' }).end('a');
  const [response] = (await once(fast, 'response')) as [IncomingMessage];
  let received = 0;
  for await (const part of response as AsyncIterable<Buffer>) received += part.length;
  t.is(received, content.length);
});

test('a client that receives a long response steadily keeps its connection, and one that stops does not', async (t) => {
  const part = Buffer.alloc(65_536);
  const parts = 400;
  const respond = (_: IncomingMessage, response: ServerResponse) => {
    Readable.from(Array.from({ length: parts }, () => part)).pipe(response);
  };
  const { server, port } = await limitedServer(t, respond, 50);
  const connection = once(server, 'connection') as Promise<[Socket]>;
  const stopped = connect(port, '127.0.0.1').once('error', () => {});
  stopped.pause().write('GET / HTTP/1.1\r\nhost: x\r\n\r\n');
  const closed = connection.then(([socket]) => once(socket, 'close'));

  const [response] = (await once(open({ port }).end(), 'response')) as [IncomingMessage];
  let received = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    received += chunk.length;
    await pause(10);
  }
  t.is(received, parts * part.length);
  await closed;
  stopped.destroy();
});
