import { mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { inspect } from 'node:util';
import { useSharedApp } from '@runward/testing/use-shared-app';
import test from 'ava';
import { isAborted, isConnectionError, isNotFound, RunwardError, type DownloadProgress } from '../src/index.ts';
import { errorOf, id } from './support/client.ts';
import { altered, large, meddling, newFolder, openForm, png } from './support/file-form.ts';

const app = useSharedApp(test);

/** A form with a large file. */
async function withLargeFile(fetch = globalThis.fetch) {
  const form = await openForm(app, { fetch });
  const blob = new Blob([new Uint8Array(large)]);
  const options = { fileName: 'Größe "1".bin' };
  const file = await form.runward.files.upload(form.entryId, form.field('papers'), blob, options);
  return { ...form, ...form.runward, file };
}

const alterDownload = () =>
  meddling(/^GET .*\/transfer\//, async (call) => {
    const { body, headers } = await call();
    return new Response(altered(body as ReadableStream<Uint8Array>), { headers });
  });

test('download streams a file with its name, type, size and progress', async (t) => {
  const { files, file, requests } = await withLargeFile();
  requests.length = 0;
  const progress: DownloadProgress[] = [];
  const download = await files.download(file.id, { onProgress: (one) => void progress.push(one) });
  const { fileName, contentType, size, sha256 } = download;
  t.like(file, { fileName, contentType, size, sha256 });
  t.is(fileName, 'Größe _1_.bin');
  t.true(large.equals(Buffer.from(await download.arrayBuffer())));
  t.deepEqual([progress[0]?.receivedBytes, progress.at(-1)?.receivedBytes], [0, large.length]);
  t.true(progress.every(({ totalBytes }) => totalBytes === large.length));
  t.deepEqual(requests, ['GET /files/*/download', 'GET /files/transfer/*']);
  t.true(isNotFound(await errorOf(files.download(id))));
});

test('a download that was altered, or is aborted, fails while it is read', async (t) => {
  const { files, file } = await withLargeFile(alterDownload());
  const { body } = await files.download(file.id);
  const error = await errorOf(new Response(body).arrayBuffer());
  t.true(isConnectionError(error), String(error));
  t.regex((error as Error).message, /arrived with other content than was uploaded .* Discard it and retry/);

  const abort = new AbortController();
  const download = await files.download(file.id, { signal: abort.signal });
  const reader = download.body.getReader();
  await reader.read();
  abort.abort();
  const rest = async () => {
    while (!(await reader.read()).done);
  };
  t.true(isAborted(await errorOf(rest())));
});

test('the error of a signed URL does not show its signature', async (t) => {
  const fetch = meddling(/^GET .*\/transfer\//, async (_, { url }) => globalThis.fetch(`${url.href}x`));
  const { files, file } = await withLargeFile(fetch);
  const error = await errorOf(files.download(file.id));
  t.true(isNotFound(error), String(error));
  t.like(error, { path: '/files/transfer/[redacted]' });
  t.notRegex(inspect(error, { depth: 9 }), /transfer\/(?!\[redacted\])/);
});

test('save writes a file under a path or in a folder, and replaces an existing one only if told to', async (t) => {
  const { files, file } = await withLargeFile();
  const folder = await newFolder(t);
  const path = join(folder, 'copy.bin');
  const { size, contentType, sha256 } = file;
  t.deepEqual(await files.save(file.id, path), { path, size, contentType, sha256 });
  t.true(large.equals(await readFile(path)));
  t.is((await files.save(file.id, pathToFileURL(`${folder}/`))).path, join(folder, 'Größe _1_.bin'));

  await writeFile(path, 'mine');
  const rejected = await errorOf(files.save(file.id, path));
  t.true(rejected instanceof RunwardError);
  t.regex(String(rejected), /copy\.bin exists already\. Choose another path, or pass `overwrite: true`/);
  t.is(await readFile(path, 'utf8'), 'mine');
  const link = join(folder, 'link');
  await symlink(path, link);
  t.is((await files.save(file.id, link, { overwrite: true })).path, path);
  t.true(large.equals(await readFile(path)));
  t.deepEqual((await readdir(folder)).toSorted(), ['Größe _1_.bin', 'copy.bin', 'link']);
});

test('save creates the folder of a path, and takes a path that ends in a separator for a folder', async (t) => {
  const { files, file } = await withLargeFile();
  const folder = await newFolder(t);
  for (const [path, expected] of [
    ['copies/a/copy.bin', 'copies/a/copy.bin'],
    ['others/', 'others/Größe _1_.bin'],
  ] as const) {
    t.is((await files.save(file.id, `${folder}/${path}`)).path, join(folder, expected));
    t.true(large.equals(await readFile(join(folder, expected))));
  }
});

test('save leaves no partial file when the content was altered, it is aborted, or the path is taken meanwhile', async (t) => {
  const { files, file } = await withLargeFile(alterDownload());
  const folder = await newFolder(t);
  const path = join(folder, 'copy.bin');
  t.true(isConnectionError(await errorOf(files.save(file.id, path))));
  t.deepEqual(await readdir(folder), []);

  const abort = new AbortController();
  const onProgress = ({ receivedBytes }: DownloadProgress) => {
    if (receivedBytes > 100_000) abort.abort();
  };
  t.true(isAborted(await errorOf(files.save(file.id, path, { signal: abort.signal, onProgress }))));
  t.deepEqual(await readdir(folder), []);

  const taking = { onProgress: () => void writeFile(path, 'mine').catch(() => {}) };
  t.regex(String(await errorOf(files.save(file.id, path, taking))), /exists already/);
  t.deepEqual([await readdir(folder), await readFile(path, 'utf8')], [['copy.bin'], 'mine']);

  t.regex(String(await errorOf(files.save(file.id, join(path, 'x')))), /cannot be written: (EEXIST|ENOTDIR)/);
  await mkdir(join(folder, 'copies', 'Größe _1_.bin'), { recursive: true });
  const taken = files.save(file.id, join(folder, 'copies'), { overwrite: true });
  t.regex(String(await errorOf(taken)), /is not a file; choose another path/);
});

test('several files are downloaded as one ZIP', async (t) => {
  const { runward, entryId, field } = await openForm(app);
  const upload = (fileName: string) => runward.files.upload(entryId, field('papers'), new Blob([png]), { fileName });
  const fileIds = [(await upload('a.png')).id, (await upload('b.png')).id];
  const zip = await runward.files.bulkDownloadZip({ fileIds });
  t.deepEqual([zip.fileName, zip.contentType, zip.size], ['files.zip', 'application/zip', null]);
  const bytes = Buffer.from(await zip.arrayBuffer());
  t.is(bytes.subarray(0, 2).toString(), 'PK');
  for (const name of ['a.png', 'b.png']) t.true(bytes.includes(name));
});
