import { openAsBlob } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fail, json, type Received } from '@runward/testing/http-server';
import test, { type ExecutionContext } from 'ava';
import { isServerError, RunwardError, type ClientOptions, type RequestOptions } from '../src/index.ts';
import { newClientOf } from './support/client-of.ts';
import { errorOf, type RespondTo } from './support/client.ts';
import { fileContract } from './support/files.ts';

const newFiles = async (t: ExecutionContext, respond: RespondTo, options?: ClientOptions) => {
  const { runward, ...rest } = await newClientOf(t, fileContract, respond, options);
  return { files: runward.files, runward, ...rest };
};

const respondOk = (res: ServerResponse) => json(res, 200, { id: 'new' });

/** The parts of a multipart body: texts unchanged, files as name, type and content. */
async function partsOf({ headers, bytes }: Received) {
  const form = await new Response(bytes, { headers: { 'content-type': headers['content-type'] ?? '' } }).formData();
  return Promise.all(
    [...form].map(async ([name, value]) =>
      typeof value === 'string' ? [name, value] : [name, value.name, value.type, await value.text()],
    ),
  );
}

const picture = new File(['picture'], 'größe "1".png', { type: 'image/png' });
const preview = new Blob(['preview'], { type: 'image/webp' });

test('a multipart body is sent as form data: fields first, then files with their names', async (t) => {
  const { files, received } = await newFiles(t, respondOk);
  const body = { file: picture, preview, title: 'Änderung', tag: ['a', 'b'] };
  t.deepEqual(await files.upload('Token/1', body), { id: 'new' });
  const [request] = received as [Received];
  t.is(request.method, 'POST');
  t.is(request.url, '/files/Token%2F1');
  t.regex(request.headers['content-type'] ?? '', /^multipart\/form-data; boundary=\S+$/);
  t.is(request.headers.accept, 'application/json');
  t.deepEqual(await partsOf(request), [
    ['title', 'Änderung'],
    ['tag', 'a'],
    ['tag', 'b'],
    ['file', 'größe "1".png', 'image/png', 'picture'],
    ['preview', 'preview', 'image/webp', 'preview'],
  ]);
});

test('an undefined field of a multipart body is omitted', async (t) => {
  const { files, received } = await newFiles(t, respondOk);
  await files.upload('x', { file: picture, preview, title: 'A', tag: undefined });
  t.deepEqual(
    (await partsOf(received[0] as Received)).map(([name]) => name),
    ['title', 'file', 'preview'],
  );
});

test('an upload gets an idempotency key; with `false` it has none and is not retried', async (t) => {
  const { files, received } = await newFiles(t, (res) => fail(res, 503));
  const upload = (options: RequestOptions) =>
    errorOf(files.upload('x', { file: picture, preview, title: 'A' }, options));
  t.true(isServerError(await upload({ idempotencyKey: false })));
  t.is(received.length, 1);
  t.false('idempotency-key' in (received[0]?.headers ?? {}));
  await upload({});
  t.is(received.length, 4);
  t.true(received.slice(1).every(({ headers }) => headers['idempotency-key'] !== undefined));
});

test('an upload with an idempotency key is retried with the same key and content', async (t) => {
  const directory = await mkdtemp(join(tmpdir(), 'sdk-upload-'));
  t.teardown(() => rm(directory, { recursive: true }));
  const path = join(directory, 'file.bin');
  await writeFile(path, 'x'.repeat(300_000));
  const { files, received } = await newFiles(t, (res, _, index) => (index < 2 ? fail(res, 503) : respondOk(res)));

  const body = { file: await openAsBlob(path), preview, title: 'A' };
  t.deepEqual(await files.upload('x', body, { idempotencyKey: 'key-1' }), { id: 'new' });

  t.deepEqual(
    received.map(({ headers }) => headers['idempotency-key']),
    ['key-1', 'key-1', 'key-1'],
  );
  const [first, ...others] = await Promise.all(received.map(partsOf));
  t.deepEqual(first?.[1]?.[3]?.length, 300_000);
  t.deepEqual(others, [first, first]);
});

test('a multipart body with a missing file or an invalid field is rejected before anything is sent', async (t) => {
  const { files, received } = await newFiles(t, respondOk);
  const upload = files.upload as (token: string, body: unknown) => Promise<unknown>;
  const whole = { file: picture, preview, title: 'A' };
  const wrong: [unknown, RegExp][] = [
    [{ ...whole, preview: undefined }, /^files\.upload: `preview` must be a Blob or a File/],
    [{ ...whole, file: '/tmp/picture.png' }, /^files\.upload: `file` must be a Blob or a File.*openAsBlob/],
    [undefined, /`file` must be/],
    [{ ...whole, title: { a: 1 } }, /^files\.upload: `title` must be a string, a number or a boolean/],
    [{ ...whole, title: null }, /`title` must be/],
  ];
  for (const [body, message] of wrong) {
    await t.throwsAsync(async () => upload('x', body), { instanceOf: RunwardError, message });
  }
  t.is(received.length, 0);
});

test('request sends a FormData as multipart/form-data', async (t) => {
  const { runward, received } = await newFiles(t, respondOk);
  const body = new FormData();
  body.append('file', picture);
  t.deepEqual(await runward.request('POST', '/later', { body }), { id: 'new' });
  t.deepEqual(await partsOf(received[0] as Received), [['file', 'größe "1".png', 'image/png', 'picture']]);
});

test('a POST that only reads is retried without an idempotency key', async (t) => {
  const { files, received } = await newFiles(t, (res, _, index) => (index < 2 ? fail(res, 503) : json(res, 200, 7)));
  t.is(await files.count('x', {}), 7);
  t.is(received.length, 3);
});

test('tokens and slugs in a path keep their case and are percent-encoded', async (t) => {
  const { files, received } = await newFiles(t, (res) => json(res, 200, 7));
  await files.count('AbC_-9zÄ', {});
  t.is(received[0]?.url, '/files/AbC_-9z%C3%84');
});
