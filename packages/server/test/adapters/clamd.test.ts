import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { Readable } from 'node:stream';
import test, { type ExecutionContext } from 'ava';
import { createClamd } from '../../src/adapters/clamd.ts';

const signal = new AbortController().signal;
const content = (text = 'Hello') => Readable.from([Buffer.from(text)]);

/** A daemon that does with each connection what the test says. Returns its URL. */
async function startDaemon(t: ExecutionContext, serve: (socket: Socket) => void): Promise<string> {
  const server = createServer((socket) => {
    socket.on('error', () => {});
    serve(socket);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => server.close());
  return `tcp://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Responds when the end of the content has arrived. */
function respondWith(...parts: string[]) {
  return (socket: Socket) => {
    let received = Buffer.alloc(0);
    socket.on('data', (part: Buffer) => {
      received = Buffer.concat([received, part]);
      if (!received.subarray(-4).equals(Buffer.alloc(4))) return;
      void (async () => {
        for (const text of parts) {
          socket.write(text);
          await new Promise(setImmediate);
        }
        socket.end();
      })();
    });
  };
}

test('only an explicit OK is clean', async (t) => {
  const scan = async (...parts: string[]) =>
    createClamd(await startDaemon(t, respondWith(...parts))).scan(content(), signal);
  t.deepEqual(await scan('stream: OK\0'), { status: 'CLEAN' });
  t.deepEqual(await scan('stre', 'am: O', 'K\0'), { status: 'CLEAN' });
  t.deepEqual(await scan('stream: Win.Test FOUND\0'), { status: 'INFECTED', signature: 'Win.Test' });
  t.like(await scan('INSTREAM size limit exceeded. ERROR\0'), { status: 'FAILED' });
  t.like(await scan('stream: Heuristics.Limits.Exceeded.MaxScanSize FOUND\0'), { status: 'FAILED' });
  for (const strange of [
    '',
    'stream: OK',
    'OK\0',
    'stream: ok\0',
    'stream: OK FOUND maybe\0',
    'UNKNOWN COMMAND\0',
    '\0',
  ]) {
    await t.throwsAsync(scan(strange), undefined, strange);
  }
  await t.throwsAsync(scan('x'.repeat(10_000)), { message: /without a result/ });
});

test('a daemon that is down, resets the connection, or ends early is an error and not clean', async (t) => {
  const url = await startDaemon(t, (socket) => socket.resetAndDestroy());
  await t.throwsAsync(createClamd(url).scan(content(), signal));
  const ending = await startDaemon(t, (socket) => socket.end());
  await t.throwsAsync(createClamd(ending).scan(content(), signal));
  await t.throwsAsync(createClamd('tcp://127.0.0.1:1').scan(content(), signal), { code: 'ECONNREFUSED' });
  await t.throwsAsync(createClamd('unix:///nowhere/clamd.ctl').scan(content(), signal), { code: 'ENOENT' });
});

test('a response before the end of the content ends the scan', async (t) => {
  const url = await startDaemon(t, (socket) => {
    socket.once('data', () => socket.end('INSTREAM size limit exceeded. ERROR\0'));
    socket.resume();
  });
  const endless = Readable.from(
    (async function* () {
      for (;;) {
        yield Buffer.alloc(65_536);
        await new Promise(setImmediate);
      }
    })(),
  );
  t.like(await createClamd(url).scan(endless, signal), { status: 'FAILED' });
  t.true(endless.destroyed);
});

test('an aborted scan and content that cannot be read are errors', async (t) => {
  const url = await startDaemon(t, (socket) => socket.resume());
  const aborted = new AbortController();
  const scan = createClamd(url).scan(content(), aborted.signal);
  aborted.abort();
  await t.throwsAsync(scan);
  const broken = Readable.from(
    (async function* () {
      yield Buffer.from('a');
      throw new Error('The disk is broken.');
    })(),
  );
  await t.throwsAsync(createClamd(url).scan(broken, signal), { message: 'The disk is broken.' });
});

test('a file that cannot be opened is an error of the scan, not of the process', async (t) => {
  const url = await startDaemon(t, respondWith('stream: OK\0'));
  const missing = createReadStream('/missing/file');
  await t.throwsAsync(createClamd(url).scan(missing, signal), { code: 'ENOENT' });
});
