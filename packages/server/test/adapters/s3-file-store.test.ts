import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtempSync } from 'node:fs';
import { readdir, readlink, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { deadAddress, startServer } from '@runward/testing/http-server';
import { until } from '@runward/testing/until';
import test from 'ava';
import { openS3FileStore, parseS3Url } from '../../src/adapters/s3-file-store.ts';

const url = process.env['S3_TEST_URL'];
const onS3 = url === undefined ? test.skip : test;
if (url === undefined) console.log('S3_TEST_URL is not set: the tests on S3 are skipped; see scripts/with-s3.ts.');

const folder = mkdtempSync(join(tmpdir(), 'runward-s3-test-'));
const store = openS3FileStore(parseS3Url(url ?? 's3://none?endpoint=http://127.0.0.1:1&region=none'));
test.after.always(async () => {
  store.close();
  await rm(folder, { recursive: true });
});

const key = { accessKeyId: 'key', secretAccessKey: 'secret' };
const newKey = () => `${randomUUID()}/files/${randomUUID()}`;
const inAMinute = () => new Date(Date.now() + 60_000);

async function stored(content: Buffer): Promise<string> {
  const path = join(folder, randomUUID());
  await writeFile(path, content);
  const key = newKey();
  await store.put(key, path);
  return key;
}

onS3('a stored file is found with its size, read whole and in part, copied, listed and removed', async (t) => {
  const content = randomBytes(200_000);
  const key = await stored(content);
  const file = await store.find(key);
  t.is(file?.size, content.length);
  t.deepEqual(file && (await buffer(file.open())), content);
  t.deepEqual(file && (await buffer(file.open({ start: 10, end: 19 }))), content.subarray(10, 20));

  const copy = newKey();
  await store.copy(key, copy);
  const listed = (await Array.fromAsync(store.list())).filter((one) => one.key === key || one.key === copy);
  t.deepEqual(
    listed.map((one) => one.size),
    [content.length, content.length],
  );
  t.true(listed.every(({ storedAt }) => Math.abs(Date.now() - storedAt.getTime()) < 600_000));
  await store.remove(key);
  await store.remove(key);
  t.is(await store.find(key), null);
  t.truthy(await store.find(copy));
});

onS3('a file of several parts is stored whole, and a reader that leaves does not block the next', async (t) => {
  const content = randomBytes(12 * 1024 * 1024);
  const file = await store.find(await stored(content));
  const left = file?.open();
  left?.once('data', () => left.destroy());
  left?.on('error', () => {});
  t.true(file !== null && (await buffer(file.open())).equals(content));
});

onS3('a download URL serves the file as an attachment, and ranges of it', async (t) => {
  const key = await stored(Buffer.from('Hello'));
  const details = { fileName: 'Grüße "1".html', contentType: 'application/octet-stream', expiresAt: inAMinute() };
  const link = await store.downloadUrl(key, details);
  const response = await fetch(link);
  t.is(await response.text(), 'Hello');
  t.is(response.headers.get('content-type'), 'application/octet-stream');
  t.regex(response.headers.get('content-disposition') ?? '', /^attachment; .*filename\*=UTF-8''Gr%C3%BC/);
  const part = await fetch(link, { headers: { range: 'bytes=1-2' } });
  t.deepEqual([part.status, await part.text()], [206, 'el']);
  const altered = new URL(link);
  altered.searchParams.set('response-content-type', 'text/html');
  t.is((await fetch(altered)).status, 403);
  await store.remove(key);
  t.is((await fetch(link)).status, 404);
});

onS3('an upload URL accepts only the announced media type and size, for one key', async (t) => {
  const key = newKey();
  const link = await store.uploadUrl(key, { contentType: 'text/plain', size: 5, expiresAt: inAMinute() });
  const put = async (body: string, contentType = 'text/plain', to = link) =>
    (await fetch(to, { method: 'PUT', headers: { 'content-type': contentType }, body })).status;
  t.is(await put('Hello', 'text/html'), 403);
  t.is(await put('Hello!'), 403);
  t.is(await put('Hello', 'text/plain', link.replace(key, newKey())), 403);
  t.is(await store.find(key), null);
  t.is(await put('Hello'), 200);
  t.is((await store.find(key))?.size, 5);
});

onS3('a key that does not exist is null, and a service that cannot be reached an error', async (t) => {
  t.is(await store.find(newKey()), null);
  const nowhere = openS3FileStore(parseS3Url('s3://none?endpoint=http://127.0.0.1:1&region=none'));
  await t.throwsAsync(nowhere.find(newKey()));
  nowhere.close();
});

test('a service that does not respond, or stops in the middle of a file, is an error', async (t) => {
  const { baseUrl } = await startServer(t, (res, { method }) => {
    if (method === 'HEAD') res.writeHead(200, { 'content-length': 10 }).end();
    else if (method === 'GET') res.writeHead(200, { 'content-length': 10 }).write('Hello');
  });
  const stalled = openS3FileStore({ bucket: 'files', endpoint: baseUrl, region: 'test', stallMs: 1_500 }, key);
  t.teardown(() => stalled.close());
  const path = join(folder, randomUUID());
  await writeFile(path, 'Hello');
  await t.throwsAsync(stalled.put(newKey(), path), { name: 'TimeoutError' });
  const file = await stalled.find(newKey());
  if (!file) return t.fail();
  await t.throwsAsync(buffer(file.open()), { name: 'TimeoutError' });
});

const onLinux = process.platform === 'linux' ? test : test.skip;
onLinux('a file that could not be stored does not stay open', async (t) => {
  const failing = openS3FileStore(parseS3Url(`s3://files?endpoint=${await deadAddress()}&region=test`), key);
  t.teardown(() => failing.close());
  const path = join(folder, randomUUID());
  await writeFile(path, randomBytes(1024 * 1024));
  await t.throwsAsync(failing.put(newKey(), path));
  const isClosed = async () => {
    const open = (await readdir('/proc/self/fd')).map((fd) => readlink(`/proc/self/fd/${fd}`).catch(() => ''));
    return !(await Promise.all(open)).includes(path);
  };
  await t.notThrowsAsync(until(isClosed, 'the file to be closed'));
});

test('the URL of a bucket names its endpoint and region', (t) => {
  t.deepEqual(parseS3Url('s3://files?endpoint=https://s3.example.com&region=eu-west-1'), {
    bucket: 'files',
    endpoint: 'https://s3.example.com',
    region: 'eu-west-1',
  });
  t.deepEqual(parseS3Url('s3://files'), { bucket: 'files', endpoint: undefined, region: undefined });
  t.throws(() => parseS3Url('s3://files?endpoint=ftp://x'), { message: /endpoint must be/ });
});
