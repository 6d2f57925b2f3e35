import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import { fail } from '@runward/testing/http-server';
import test, { type ExecutionContext } from 'ava';
import { isAborted, isConnectionError, isNotFound, isTimeout, type ClientOptions } from '../src/index.ts';
import { newClientOf } from './support/client-of.ts';
import { errorOf, fetchThen, type RespondTo } from './support/client.ts';
import { fileContract } from './support/files.ts';

const newFiles = async (t: ExecutionContext, respond: RespondTo, options?: ClientOptions) => {
  const { runward, ...rest } = await newClientOf(t, fileContract, respond, options);
  return { files: runward.files, runward, ...rest };
};

const csv = { 'content-type': 'text/csv; charset=utf-8', 'content-disposition': 'attachment; filename="runs.csv"' };

const sendCsv = (res: ServerResponse) => res.writeHead(200, { ...csv, 'content-length': 8 }).end('a,b\n1,2\n');

test('a streamed response is a download with content type, file name, size and body', async (t) => {
  const { files, received } = await newFiles(t, sendCsv);
  const { data: download, response, requestId } = await files.download('Ab').withResponse();
  t.is(download.contentType, 'text/csv; charset=utf-8');
  t.is(download.fileName, 'runs.csv');
  t.is(download.size, 8);
  t.is(await download.text(), 'a,b\n1,2\n');
  t.deepEqual([response.status, requestId], [200, null]);
  t.is(received[0]?.headers.accept, 'text/csv, application/pdf, application/json');
});

test('a download can be read as text, blob, bytes or stream, once', async (t) => {
  const { files } = await newFiles(t, sendCsv);
  const bytes = new TextEncoder().encode('a,b\n1,2\n');
  t.deepEqual(new Uint8Array(await (await files.download('x')).arrayBuffer()), bytes);
  const blob = await (await files.download('x')).blob();
  t.deepEqual([blob.type, await blob.text()], ['text/csv;charset=utf-8', 'a,b\n1,2\n']);
  const download = await files.download('x');
  t.deepEqual(await Array.fromAsync(download.body), [bytes]);
  t.true((await errorOf(download.text())) instanceof TypeError);
});

test('the parts of a download arrive while the server is still sending', async (t) => {
  const responses: ServerResponse[] = [];
  const { files } = await newFiles(t, (res) => {
    responses.push(res);
    res.writeHead(200, csv).write('a,b\n');
  });
  const download = await files.download('x');
  t.is(download.size, null);
  const reader = download.body.pipeThrough(new TextDecoderStream()).getReader();
  t.is((await reader.read()).value, 'a,b\n');
  responses[0]?.end('1,2\n');
  t.is((await reader.read()).value, '1,2\n');
  t.true((await reader.read()).done);
});

test('a large download is complete', async (t) => {
  const content = Buffer.from(Array.from({ length: 3_000_000 }, (_, index) => index % 251));
  const { files } = await newFiles(t, (res) =>
    res.writeHead(200, { 'content-type': 'application/pdf', 'content-length': content.length }).end(content),
  );
  const download = await files.render('x', { page: 1 });
  t.deepEqual([download.size, download.fileName], [content.length, 'download']);
  t.true(content.equals(Buffer.from(await download.arrayBuffer())));
});

test('a compressed download has no size and is decoded', async (t) => {
  const content = gzipSync('x'.repeat(10_000));
  const { files } = await newFiles(t, (res) =>
    res.writeHead(200, { ...csv, 'content-encoding': 'gzip', 'content-length': content.length }).end(content),
  );
  const download = await files.download('x');
  t.is(download.size, null);
  t.is(await download.text(), 'x'.repeat(10_000));
});

test('an empty download has size 0', async (t) => {
  const { files } = await newFiles(t, (res) => res.writeHead(200, { ...csv, 'content-length': 0 }).end());
  const download = await files.download('x');
  t.deepEqual([download.size, await download.text()], [0, '']);
});

test('an error response to a download is the usual typed error', async (t) => {
  const { files, received } = await newFiles(t, (res) => fail(res, 404));
  const error = await errorOf(files.download('x'));
  t.true(isNotFound(error) && error.messages[0] === 'It failed');
  t.is(received.length, 1);
});

test('an HTML page instead of a download is a ConnectionError that names baseUrl', async (t) => {
  const { files } = await newFiles(t, (res) => res.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Hi</h1>'));
  await t.throwsAsync(async () => files.download('x', { maxRetries: 0 }), {
    message: /not text\/csv or application\/pdf but text\/html\. .*baseUrl/,
  });
});

test('a download that fails before its first part is retried', async (t) => {
  const responses: ServerResponse[] = [];
  const { files, received } = await newFiles(
    t,
    (res, _, index) => {
      if (index === 0) return fail(res, 503);
      if (index === 2) return sendCsv(res);
      responses.push(res);
      res.writeHead(200, { ...csv, 'content-length': 8 }).flushHeaders();
    },
    { fetch: fetchThen(() => responses[0]?.destroy()) },
  );
  t.is(await (await files.download('x')).text(), 'a,b\n1,2\n');
  t.is(received.length, 3);
});

test('a streamed POST that only reads is retried like a GET', async (t) => {
  const { files, received } = await newFiles(t, (res, _, index) =>
    index < 2 ? fail(res, 503) : res.writeHead(200, { 'content-type': 'application/pdf' }).end('%PDF'),
  );
  t.is(await (await files.render('x', { page: 1 })).text(), '%PDF');
  t.is(received.length, 3);
});

for (const [framing, headers] of Object.entries({ chunked: csv, 'fixed-length': { ...csv, 'content-length': 8 } })) {
  test(`a ${framing} download that is cut short rejects and is not retried`, async (t) => {
    const responses: ServerResponse[] = [];
    const { files, received } = await newFiles(t, (res) => {
      responses.push(res);
      res.writeHead(200, headers).write('a,b\n');
    });
    const download = await files.download('x');
    responses[0]?.destroy();
    const error = await errorOf(download.text());
    t.true(isConnectionError(error));
    t.regex(
      (error as Error).message,
      /^GET \/files\/x failed: .*\. The download is incomplete; discard it and retry\.$/,
    );
    t.is(received.length, 1);
  });
}

test('a download shorter than Content-Length rejects even if fetch considers it complete', async (t) => {
  const fetch = async () => new Response('a,b\n', { headers: { ...csv, 'content-length': '8' } });
  const { files } = await newFiles(t, () => {}, { fetch });
  const parts: unknown[] = [];
  const download = await files.download('x');
  const error = await errorOf(download.body.pipeTo(new WritableStream({ write: (part) => void parts.push(part) })));
  t.true(isConnectionError(error));
  t.regex((error as Error).message, /ended after 4 of 8 bytes/);
  t.is(parts.length, 1);
});

test('the timeout of a download covers the time to the headers, then the time to the first part', async (t) => {
  let afterHeaders = () => {};
  const { files, timers, received, expireTimeout } = await newFiles(
    t,
    (res, _, index, expireTimeout) => {
      if (index === 0) expireTimeout();
      else res.writeHead(200, csv).flushHeaders();
    },
    { timeoutMs: 700, maxRetries: 1, fetch: fetchThen(() => setImmediate(() => afterHeaders())) },
  );
  afterHeaders = expireTimeout;
  const error = await errorOf(files.download('x'));
  t.true(isTimeout(error));
  t.regex((error as Error).message, /^GET \/files\/x sent nothing for 700 ms/);
  t.is(received.length, 2);
  t.deepEqual(
    timers.map(({ ms, isRunning }) => [ms, isRunning]),
    [
      [700, false],
      [700, false],
      [700, false],
    ],
  );
});

test('a download that stalls rejects with a TimeoutError', async (t) => {
  const { files, received, expireTimeout } = await newFiles(t, (res) => res.writeHead(200, csv).write('a,b\n'));
  const { body } = await files.download('x', { timeoutMs: 700 });
  const reader = body.getReader();
  await reader.read();
  const stalled = errorOf(reader.read());
  expireTimeout();
  const error = await stalled;
  t.true(isTimeout(error));
  t.regex((error as Error).message, /^GET \/files\/x sent nothing for 700 ms/);
  t.is(received.length, 1);
});

test('the timeout of a download does not run while nothing is being read', async (t) => {
  const { files, timers } = await newFiles(t, (res) => res.writeHead(200, csv).write('a,b\n'));
  const { body } = await files.download('x');
  t.false(timers.some(({ isRunning }) => isRunning));
  const reader = body.getReader();
  await reader.read();
  t.false(timers.some(({ isRunning }) => isRunning));
  const next = reader.read();
  t.is(timers.filter(({ isRunning }) => isRunning).length, 1);
  await reader.cancel();
  t.true((await next).done);
  t.false(timers.some(({ isRunning }) => isRunning));
});

test('a download whose signal aborts rejects, whether or not it is being read', async (t) => {
  const { files } = await newFiles(t, (res) => res.writeHead(200, csv).write('a,b\n'));
  for (const isRead of [true, false]) {
    const abort = new AbortController();
    const { body } = await files.download('x', { signal: abort.signal });
    const reader = body.getReader();
    await reader.read();
    const pending = isRead ? errorOf(reader.read()) : null;
    abort.abort('enough');
    const error = await (pending ?? errorOf(reader.read()));
    t.true(isAborted(error) && error.cause === 'enough');
  }
});

test('a signal that aborts after the end of a download has no effect', async (t) => {
  const abort = new AbortController();
  const { files } = await newFiles(t, sendCsv);
  const reader = (await files.download('x', { signal: abort.signal })).body.getReader();
  while (!(await reader.read()).done);
  abort.abort();
  t.true((await reader.read()).done);
});

test('a cancelled download closes its connection', async (t) => {
  const closed: Promise<unknown>[] = [];
  const { files } = await newFiles(t, (res) => {
    closed.push(once(res, 'close'));
    res.writeHead(200, csv).write('a,b\n');
  });
  const { body } = await files.download('x');
  await body.cancel();
  await closed[0];
  t.is(closed.length, 1);
});

test('request returns text as a string and other content as a download', async (t) => {
  const types: Record<string, string> = { '/csv': 'text/csv', '/xml': 'application/xml', '/zip': 'application/zip' };
  const { runward } = await newFiles(t, (res, { url }) => res.writeHead(200, { 'content-type': types[url] }).end('PK'));
  t.is(await runward.request('GET', '/csv'), 'PK');
  t.is(await runward.request('GET', '/xml'), 'PK');
  const download = await runward.request('GET', '/zip');
  t.like(download, { contentType: 'application/zip', fileName: 'download' });
});
