import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pathToFileURL } from 'node:url';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { useSharedApp } from '@runward/testing/use-shared-app';
import test from 'ava';
import { isAborted, isConnectionError, isServerError, isValidationError, type UploadProgress } from '../src/index.ts';
import { errorOf } from './support/client.ts';
import { altered, large, loseResponse, meddling, newFolder, openForm, png } from './support/file-form.ts';

const app = useSharedApp(test);
const sha256 = (bytes: Uint8Array | string) => createHash('sha256').update(bytes).digest('hex');

async function* inParts(bytes: Uint8Array, size = 100_000) {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

const direct = ['POST /files/direct-upload'];
const presigned = ['POST /files/upload-url', 'PUT /files/transfer/*', 'POST /files/confirm'];

test('a small file is uploaded in one request, from a Blob, a File, a path, a URL or a stream', async (t) => {
  const form = await openForm(app);
  const folder = await newFolder(t);
  const path = join(folder, 'größe "1", ünd.txt');
  await writeFile(path, 'from disk');
  const sources = [
    [new Blob(['blob']), 'file', 'blob'],
    [new File(['file'], 'report.txt', { type: 'text/plain' }), 'report.txt', 'file'],
    [path, 'größe _1_, ünd.txt', 'from disk'],
    [pathToFileURL(path), 'größe _1_, ünd.txt', 'from disk'],
    [new Blob(['stream']).stream(), 'file', 'stream'],
    [Readable.from([Buffer.from('in '), Buffer.from('parts')]), 'file', 'in parts'],
  ] as const;
  for (const [source, fileName, content] of sources) {
    const file = await form.runward.files.upload(form.entryId, form.field('papers'), source);
    t.like(file, { fileName, size: content.length, sha256: sha256(content), executionEntryId: form.entryId });
  }
  const named = await form.runward.files.upload(form.entryId, form.field('papers'), path, { fileName: 'other.txt' });
  t.is(named.fileName, 'other.txt');
  t.is((await form.attached()).length, 7);
  t.deepEqual(new Set(form.requests), new Set([...direct, 'GET /files']));
});

test('a large file is uploaded to a signed URL, from a path or a stream, with progress', async (t) => {
  const form = await openForm(app);
  const path = join(await newFolder(t), 'large.bin');
  await writeFile(path, large);
  for (const [source, size] of [
    [path, undefined],
    [new Blob([new Uint8Array(large)]), undefined],
    [inParts(large), large.length],
    [inParts(large), undefined],
  ] as const) {
    form.requests.length = 0;
    const progress: UploadProgress[] = [];
    const onProgress = (one: UploadProgress) => void progress.push(one);
    const file = await form.runward.files.upload(form.entryId, form.field('papers'), source, { size, onProgress });
    t.like(file, { size: large.length, sha256: sha256(large) });
    t.deepEqual(form.requests, presigned);
    const sent = progress.map(({ sentBytes }) => sentBytes);
    t.deepEqual([sent[0], sent.at(-1)], [0, large.length]);
    t.deepEqual(
      sent,
      sent.toSorted((a, b) => a - b),
    );
    t.true(progress.length > 5 && progress.every(({ totalBytes }) => totalBytes === large.length));
  }
  t.is((await form.attached()).length, 4);
});

test('a large image needs no media type for a field that takes images only', async (t) => {
  const form = await openForm(app);
  const image = new Blob([new Uint8Array(png), new Uint8Array(9_000_000)], { type: 'text/plain' });
  const file = await form.runward.files.upload(form.entryId, form.field('photo'), image, { fileName: 'photo.png' });
  t.is(file.contentType, 'image/png');
  const other = errorOf(form.runward.files.upload(form.entryId, form.field('photo'), inParts(large)));
  t.true(isValidationError(await other));
});

for (const [what, path, content] of [
  ['a direct upload', /direct-upload/, png],
  ['the announcement', /upload-url/, large],
  ['the content', /^PUT/, large],
  ['the confirmation', /confirm/, large],
] as const) {
  test(`an upload that is retried after the response to ${what} was lost attaches the file once`, async (t) => {
    const form = await openForm(app, { fetch: meddling(path, loseResponse) });
    const bytes = new Blob([new Uint8Array(content)]);
    const file = await form.runward.files.upload(form.entryId, form.field('papers'), bytes);
    t.deepEqual(
      (await form.attached()).map(({ id }) => id),
      [file.id],
    );
  });
}

test('an upload is retried after an error of the server, with progress from the beginning', async (t) => {
  const fail = async () => new Response('overloaded', { status: 503 });
  const sent: number[] = [];
  const form = await openForm(app, { fetch: meddling(/^PUT/, fail) });
  const onProgress = ({ sentBytes }: UploadProgress) => void sent.push(sentBytes);
  const blob = new Blob([new Uint8Array(large)]);
  await form.runward.files.upload(form.entryId, form.field('papers'), blob, { onProgress });
  t.is(form.requests.filter((one) => one.startsWith('PUT')).length, 2);
  t.is(sent.at(-1), large.length);
});

test('an error of the caller while progress is reported ends the upload, and what was announced is deleted', async (t) => {
  const form = await openForm(app);
  const failure = new Error('No such bar');
  const onProgress = ({ sentBytes }: UploadProgress) => {
    if (sentBytes > 0) throw failure;
  };
  const blob = new Blob([new Uint8Array(large)]);
  const error = await errorOf(form.runward.files.upload(form.entryId, form.field('papers'), blob, { onProgress }));
  t.is(String(error), 'RunwardError: onProgress failed: No such bar');
  t.is((error as Error).cause, failure);
  t.is(form.requests.filter((one) => one.startsWith('PUT')).length, 1);
  t.deepEqual(await form.attached(), []);
});

test('a large file is not kept in memory while it is sent', async (t) => {
  const form = await openForm(app);
  setFlagsFromString('--expose-gc');
  const collectGarbage = runInNewContext('gc') as () => void;
  const sent: WeakRef<ArrayBuffer>[] = [];
  async function* parts() {
    for (let at = 0; at < 64; at += 1) {
      const part = new Uint8Array(1024 * 1024);
      sent.push(new WeakRef(part.buffer));
      yield part;
    }
  }
  const size = 64 * 1024 * 1024;
  let kept = 0;
  const onProgress = ({ sentBytes }: UploadProgress) => {
    if (sentBytes < size) return;
    collectGarbage();
    kept = sent.filter((part) => part.deref()).length;
  };
  const { signal } = new AbortController();
  await form.runward.files.upload(form.entryId, form.field('papers'), parts(), { size, signal, onProgress });
  t.is(sent.length, 64);
  t.true(kept < 32, `${kept} of 64 MiB are in memory`);
});

test('a stream that was read is not sent again, and what was announced is deleted', async (t) => {
  const fetch = meddling(/^PUT/, async (_, { init }) => {
    const body = init.body as ReadableStream<Uint8Array>;
    const reader = body.getReader();
    await reader.read();
    await reader.cancel();
    return new Response('overloaded', { status: 503 });
  });
  const form = await openForm(app, { fetch });
  const options = { size: large.length };
  const error = await errorOf(form.runward.files.upload(form.entryId, form.field('papers'), inParts(large), options));
  t.true(isServerError(error), String(error));
  t.deepEqual(form.requests, ['POST /files/upload-url', 'PUT /files/transfer/*', 'DELETE /files/*']);
  t.deepEqual(await form.attached(), []);
});

for (const [what, content, path] of [
  ['in one request', png, /direct-upload/],
  ['to a signed URL', large, /^PUT/],
] as const) {
  test(`bytes that are altered on the way ${what} are an error, and the file is removed again`, async (t) => {
    const fetch = meddling(path, async (_, { url, init }) => {
      // Altering the end of the only part would break the form.
      if (content === png) return globalThis.fetch(url, { ...init, body: await alteredForm(init) });
      const body = altered(init.body as ReadableStream<Uint8Array>);
      return globalThis.fetch(url, { ...init, body, duplex: 'half' });
    });
    const form = await openForm(app, { fetch });
    const blob = new Blob([new Uint8Array(content)]);
    const error = await errorOf(form.runward.files.upload(form.entryId, form.field('papers'), blob));
    t.true(isConnectionError(error), String(error));
    t.regex((error as Error).message, /received other bytes of "file" than were sent .* removed the file again/);
    t.deepEqual(await form.attached(), []);
  });
}

async function alteredForm({ body }: RequestInit): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = Buffer.from(await new Response(body).arrayBuffer());
  bytes.set([0], bytes.indexOf('IDAT') + 10);
  return bytes;
}

test('an upload that is aborted attaches nothing and leaves nothing behind', async (t) => {
  const form = await openForm(app);
  for (const size of [large.length, undefined]) {
    const abort = new AbortController();
    const onProgress = ({ sentBytes }: UploadProgress) => {
      if (sentBytes > 0) abort.abort('enough');
    };
    const options = { size, signal: abort.signal, onProgress };
    const error = await errorOf(form.runward.files.upload(form.entryId, form.field('papers'), inParts(large), options));
    t.true(isAborted(error) && error.cause === 'enough', String(error));
  }
  const abort = new AbortController();
  async function* endless() {
    yield png;
    abort.abort();
    await new Promise(() => {});
  }
  const options = { signal: abort.signal };
  t.true(isAborted(await errorOf(form.runward.files.upload(form.entryId, form.field('papers'), endless(), options))));
  t.is(form.requests.filter((one) => one === 'DELETE /files/*').length, 2);
  t.deepEqual(await form.attached(), []);
});

test('a source that cannot be read, or has another size, is an error that says so', async (t) => {
  const form = await openForm(app);
  const folder = await newFolder(t);
  const upload = (source: unknown, size?: number) =>
    errorOf(form.runward.files.upload(form.entryId, form.field('papers'), source as Blob, { size }));
  async function* broken(first = large) {
    yield first;
    throw new Error('the disk is gone');
  }
  const locked = new Blob([png]).stream();
  locked.getReader();
  const cases: [unknown, number | undefined, RegExp][] = [
    [join(folder, 'none.pdf'), undefined, /none\.pdf cannot be read: ENOENT/],
    [folder, undefined, /is not a file\. To upload what a pipe contains/],
    [7, undefined, /must be a Blob, a File, a path or a stream/],
    [Readable.from(['text']), undefined, /something other than bytes/],
    [inParts(png), 1, /"file" has \d+ bytes instead of 1/],
    [inParts(png), -1, /`size` must be a whole number/],
    [inParts(large), large.length + 1, /"file" has 8389608 bytes instead of 8389609/],
    [inParts(large), large.length - 1, /"file" has \d+ bytes instead of 8389607/],
    [broken(), large.length + 1, /"file" cannot be read: the disk is gone/],
    [broken(), undefined, /"file" cannot be read: the disk is gone/],
    [broken(png), undefined, /"file" cannot be read: the disk is gone/],
    [locked, undefined, /"file" cannot be read: .*locked/],
  ];
  for (const [source, size, message] of cases) t.regex(String(await upload(source, size)), message);
  t.deepEqual(await form.attached(), []);
  t.true(isValidationError(await upload(new Blob([]))));
});
