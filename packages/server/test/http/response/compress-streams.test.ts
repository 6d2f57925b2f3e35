import { once } from 'node:events';
import { createServer, request, type IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { listenOnLoopback } from '@runward/testing/http-server';
import test, { type ExecutionContext } from 'ava';
import Koa, { type Context } from 'koa';
import { compress } from '../../../src/http/response/compress.ts';

/** What a service responds whose only route is `show`. */
async function respondWith(t: ExecutionContext, show: (ctx: Context) => void): Promise<IncomingMessage> {
  const koa = new Koa();
  koa.silent = true;
  koa.use(compress());
  koa.use(show);
  const server = createServer((incoming, outgoing) => void koa.callback()(incoming, outgoing));
  const port = await listenOnLoopback(server);
  t.teardown(() => {
    server.closeAllConnections();
    server.close();
  });
  return new Promise((resolve, reject) => {
    request({ port, host: '127.0.0.1', headers: { 'accept-encoding': 'gzip' } }, resolve)
      .once('error', reject)
      .end();
  });
}

async function* rows(count: number, end: () => void) {
  for (let row = 0; row < count; row += 1) yield `${row};${Math.random()}\n`.repeat(100);
  end();
}

test('a stream that fails ends the connection, so that nobody takes its beginning for all of it', async (t) => {
  const response = await respondWith(t, (ctx) => {
    ctx.type = 'text/csv';
    const fail = () => {
      throw new Error('no more rows');
    };
    ctx.body = Readable.from(rows(500, fail), { objectMode: false });
  });
  t.is(response.headers['content-encoding'], 'gzip');
  await t.throwsAsync(response.resume().toArray(), { message: 'aborted' });
});

test('a client that disconnects ends the source of a stream', async (t) => {
  const source = Readable.from(
    rows(100_000, () => {}),
    { objectMode: false },
  );
  const response = await respondWith(t, (ctx) => {
    ctx.type = 'text/csv';
    ctx.body = source;
  });
  response.destroy();
  await once(source, 'close');
  t.true(source.destroyed);
  t.false(source.readableEnded);
});

test('a stream of events arrives event by event', async (t) => {
  const source = new Readable({ read: () => {} });
  source.push('data: 1\n\n');
  const response = await respondWith(t, (ctx) => {
    ctx.type = 'text/event-stream';
    ctx.body = source;
  });
  t.is(response.headers['content-encoding'], undefined);
  const next = async () => String((await once(response, 'data'))[0]);
  t.is(await next(), 'data: 1\n\n');
  source.push('data: 2\n\n');
  t.is(await next(), 'data: 2\n\n');
  source.push(null);
});

test('a response that must not be transformed, an image and an encoded one stay as they are', async (t) => {
  const content = 'text '.repeat(1_000);
  const bodies: ((ctx: Context) => void)[] = [
    (ctx) => ctx.set('Cache-Control', 'public, no-transform'),
    (ctx) => (ctx.type = 'image/png'),
    (ctx) => ctx.set('Content-Encoding', 'zstd'),
  ];
  for (const change of bodies) {
    const response = await respondWith(t, (ctx) => {
      ctx.type = 'text/plain';
      change(ctx);
      ctx.body = Buffer.from(content);
    });
    t.is(response.headers['content-length'], String(content.length));
    response.resume();
  }
});
