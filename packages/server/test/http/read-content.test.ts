import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { connect, type AddressInfo } from 'node:net';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { until } from '@runward/testing/until';
import test, { type ExecutionContext } from 'ava';
import Koa, { type Context } from 'koa';
import { Agent, request } from 'undici';
import { ApiError } from '../../src/api-error.ts';
import { contentReader } from '../../src/http/body/read-content.ts';

const limit = 1_000_000;
const readContent = contentReader('application/json', limit);
const unreadable = [400, ['body: cannot be read; check its length and its Content-Encoding']];
const tooLarge = [413, 'The request body exceeds 1 MB; send less in one request.'];

/**
 * Reads the bodies that are sent to it, once `ready` resolves, and keeps the bytes, as characters, or the error of
 * each.
 */
async function newReader(t: ExecutionContext, ready = async (_ctx: Context) => {}) {
  const outcomes: unknown[] = [];
  const ports = new Set<number | undefined>();
  const app = new Koa();
  app.silent = true;
  app.use(async (ctx) => {
    ports.add(ctx.req.socket.remotePort);
    await ready(ctx);
    try {
      outcomes.push((await readContent(ctx))?.toString('latin1'));
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      outcomes.push([error.status, error.messages]);
    }
    ctx.body = 'read';
  });
  const server = app.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => server.close());
  const { port } = server.address() as AddressInfo;
  const dispatcher = new Agent({ connections: 1 });
  t.teardown(() => dispatcher.close());
  const send = async (body: Buffer, encoding = 'identity', type = 'application/json') => {
    const headers = { 'content-type': type, 'content-encoding': encoding };
    const response = await request(`http://127.0.0.1:${port}/`, { dispatcher, method: 'POST', headers, body });
    await response.body.dump();
    return outcomes.at(-1);
  };
  return { outcomes, ports, send, port };
}

test('a body is read as it was before compression, up to the limit', async (t) => {
  const { send } = await newReader(t);
  const bytes = Buffer.from(`{"name":"${'é'.repeat(1000)}"}`);
  const text = bytes.toString('latin1');
  t.is(await send(bytes), text);
  t.is(await send(gzipSync(bytes), 'gzip'), text);
  t.is(await send(deflateSync(bytes), 'deflate'), text);
  t.is(await send(brotliCompressSync(bytes), 'br'), text);
  t.is(await send(gzipSync(Buffer.alloc(0)), 'gzip'), '');

  const largest = Buffer.alloc(limit, 'x');
  const larger = Buffer.alloc(limit + 1, 'x');
  t.is(await send(largest), largest.toString());
  t.is(await send(gzipSync(largest), 'gzip'), largest.toString());
  t.deepEqual(await send(larger), tooLarge);
  for (const [encoding, compress] of [
    ['gzip', gzipSync],
    ['deflate', deflateSync],
    ['br', brotliCompressSync],
  ] as const) {
    t.deepEqual(await send(compress(larger), encoding), tooLarge, encoding);
  }
});

test('the bytes of a body stay as they are, whatever its charset says', async (t) => {
  const { send } = await newReader(t);
  const everyByte = Buffer.from(Array.from({ length: 256 }, (_, byte) => byte));
  for (const type of ['application/json', 'application/json; charset=utf-16']) {
    t.is(await send(everyByte, 'identity', type), everyByte.toString('latin1'));
    t.is(await send(gzipSync(everyByte), 'gzip', type), everyByte.toString('latin1'));
  }
});

test('a body of another media type is not read, and its connection is used again', async (t) => {
  const { send, ports } = await newReader(t);
  const other = ['text/plain', 'application/vnd.api+json', 'application/x-www-form-urlencoded', 'json'];
  for (const type of [...other, 'multipart/form-data; boundary=x']) {
    t.is(await send(Buffer.from('--x\r\n\r\n{}'), 'identity', type), undefined, type);
    t.is(await send(randomBytes(limit), 'gzip', type), undefined, type);
  }
  t.is(ports.size, 1);
});

test('a body that is broken, cut off or encoded in an unknown way is rejected, and its connection is used again', async (t) => {
  const { send, ports } = await newReader(t);
  const whole = gzipSync(Buffer.alloc(50_000, 'x'));
  for (const bytes of [Buffer.from('{}'), whole.subarray(0, -9), whole.subarray(0, 3)]) {
    t.deepEqual(await send(Buffer.from(bytes), 'gzip'), unreadable);
  }
  t.deepEqual(await send(whole, 'br'), unreadable);
  t.deepEqual(await send(whole, 'gzip, gzip'), [400, ['Content-Encoding: must be gzip, deflate, br or identity']]);
  t.deepEqual(await send(gzipSync(Buffer.alloc(5 * limit)), 'gzip'), tooLarge);
  t.is(await send(Buffer.from('{}')), '{}');
  t.is(ports.size, 1);
});

test('a compressed body that is broken behind the limit is a 413, and the process goes on', async (t) => {
  const { send } = await newReader(t);
  // The content is inflated in parts of 16 KiB: the one after the limit is complete, and the next one is broken.
  for (let parts = 60; parts < 66; parts += 1) {
    const body = gzipSync(Buffer.alloc(parts * 16_384, 'x'));
    body.writeUInt32LE(0, body.length - 8);
    t.deepEqual(await send(body, 'gzip'), parts * 16_384 > limit + 16_384 ? tooLarge : unreadable, `${parts} parts`);
  }
  t.is(await send(Buffer.from('{}')), '{}');
});

for (const encoding of ['identity', 'gzip']) {
  test(`reading ends if the client disconnects, before it begins or while it lasts (${encoding})`, async (t) => {
    const begin = Promise.withResolvers<void>();
    const { outcomes, ports, port } = await newReader(t, async ({ path }) =>
      path === '/later' ? begin.promise : undefined,
    );
    const start = Buffer.from(gzipSync(Buffer.alloc(1000, 'x')).subarray(0, 20));
    for (const path of ['/now', '/later']) {
      const socket = connect(port, '127.0.0.1');
      socket.write(
        `POST ${path} HTTP/1.1\r\nhost: x\r\ncontent-length: 1000\r\ncontent-type: application/json\r\ncontent-encoding: ${encoding}\r\n\r\n`,
      );
      socket.write(start);
      await until(() => ports.has(socket.localPort), 'the request');
      socket.destroy();
      await once(socket, 'close');
    }
    await until(() => outcomes.length === 1, 'the end of the first');
    begin.resolve();
    await until(() => outcomes.length === 2, 'the end of the second');
    t.deepEqual(outcomes, [unreadable, unreadable]);
  });
}
