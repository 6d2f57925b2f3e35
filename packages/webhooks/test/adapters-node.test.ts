import { createServer } from 'node:http';
import { connect } from 'node:net';
import test from 'ava';
import { createReceiver, toNodeHandler } from '../src/index.ts';
import { adapterSuite } from './adapter-suite.ts';
import { listen, payload, post, secret } from './support.ts';

adapterSuite('node', (t, receiver) => {
  const handler = toNodeHandler(receiver);
  return listen(
    t,
    createServer((req, res) => void handler(req, res)),
  );
});

test('node: a connection that closes in the middle of the body does not fail the server', async (t) => {
  const handler = toNodeHandler(createReceiver({ secret, onError: () => {} }));
  const { promise, resolve } = Promise.withResolvers<void>();
  const url = await listen(
    t,
    createServer((req, res) => void handler(req, res).then(resolve)),
  );
  const { port } = new URL(url);

  const socket = connect(Number(port), '127.0.0.1');
  socket.write('POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 1000\r\n\r\n{"half":', () => socket.destroy());

  await t.notThrowsAsync(promise);
  t.is((await post(url, payload())).status, 200);
});

test('node: a request that was already read gets 500 with the remedy, unless its body is empty', async (t) => {
  const handler = toNodeHandler(createReceiver({ secret, onError: () => {} }));
  const url = await listen(
    t,
    createServer((req, res) => {
      req.resume();
      req.on('end', () => void handler(req, res));
    }),
  );
  const { status, json } = await post(url, payload());
  t.deepEqual([status, json.error], [500, 'body_not_raw']);
  t.regex(json.message ?? '', /before body parsers/);

  const empty = await fetch(url, { method: 'POST' });
  t.is(empty.status, 401, 'an empty body is not lost');
});

test('node: bytes in req.rawBody beside a parsed body are accepted', async (t) => {
  const handler = toNodeHandler(createReceiver({ secret }));
  const url = await listen(
    t,
    createServer((req, res) => {
      const chunks: Buffer[] = [];
      req.on('data', (chunk: Buffer) => chunks.push(chunk));
      req.on('end', () => void handler(Object.assign(req, { rawBody: Buffer.concat(chunks), body: {} }), res));
    }),
  );
  t.deepEqual((await post(url, payload())).json, { result: 'ignored' });
});
