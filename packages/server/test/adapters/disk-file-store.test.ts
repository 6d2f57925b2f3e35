import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { mkdtempSync } from 'node:fs';
import { readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import test from 'ava';
import { openDiskFileStore } from '../../src/adapters/disk-file-store.ts';

const folder = mkdtempSync(join(tmpdir(), 'runward-store-'));
test.after.always(() => rm(folder, { recursive: true }));

const inAnHour = () => new Date(Date.now() + 3_600_000);
const details = () => ({ fileName: 'logo.png', contentType: 'image/png', expiresAt: inAnHour() });

async function newStore() {
  const root = join(folder, randomUUID());
  const store = await openDiskFileStore({ folder: root, baseUrl: 'https://runward.example' });
  return { root, store };
}

async function newFile(content: Buffer | string = randomBytes(1_000)): Promise<string> {
  const path = join(folder, randomUUID());
  await writeFile(path, content);
  return path;
}

const tokenOf = (url: string) => url.slice(url.lastIndexOf('/') + 1);

test('a stored file is read through its URL with its size and details', async (t) => {
  const { store } = await newStore();
  const content = randomBytes(200_000);
  await store.put('org/assets/a', await newFile(content));
  const url = await store.downloadUrl('org/assets/a', details());
  t.regex(url, /^https:\/\/runward\.example\/files\/transfer\/[\w-]+\.[\w-]+$/);

  const read = await store.readSigned(tokenOf(url), new Date());
  t.like(read, { fileName: 'logo.png', contentType: 'image/png' });
  t.is(read?.file.size, content.length);
  const sent = read ? await buffer(read.file.open()) : null;
  t.deepEqual(
    sent && createHash('sha256').update(sent).digest('hex'),
    createHash('sha256').update(content).digest('hex'),
  );
});

test('a token that is expired, altered, truncated or signed by another store leads nowhere', async (t) => {
  const { store } = await newStore();
  const { store: other } = await newStore();
  await store.put('org/assets/a', await newFile());
  await other.put('org/assets/a', await newFile());
  const token = tokenOf(await store.downloadUrl('org/assets/a', details()));
  t.truthy(await store.readSigned(token, new Date()));

  t.is(await store.readSigned(token, new Date(Date.now() + 3_601_000)), null);
  t.is(await other.readSigned(token, new Date()), null);
  const [payload = '', signature = ''] = token.split('.');
  const forged = Buffer.from(JSON.stringify([Date.now() + 1e9, { key: 'org/assets/a' }])).toString('base64url');
  const bad = [
    `${forged}.${signature}`,
    `${payload}.`,
    payload,
    `.${signature}`,
    '',
    `${token}.x`,
    `${payload}.${signature.slice(0, -2)}`,
  ];
  for (const each of bad) t.is(await store.readSigned(each, new Date()), null, each);
});

test('a removed file is gone for URLs issued before, and removing it again does nothing', async (t) => {
  const { store } = await newStore();
  await store.put('org/assets/a', await newFile());
  await store.copy('org/assets/a', 'org/assets/b');
  const token = tokenOf(await store.downloadUrl('org/assets/a', details()));
  const copied = tokenOf(await store.downloadUrl('org/assets/b', details()));
  await store.remove('org/assets/a');
  await store.remove('org/assets/a');
  t.is(await store.readSigned(token, new Date()), null);
  t.truthy(await store.readSigned(copied, new Date()));
});

test('a key that leaves the store is rejected', async (t) => {
  const { store } = await newStore();
  const path = await newFile();
  for (const key of ['../x', 'a/../../b', '/etc/passwd', 'a', '', 'a//b', 'a/.signing-key', 'a/b\0']) {
    await t.throwsAsync(store.put(key, path), { message: /^Not a key of the file store/ }, key);
  }
});

test('a store whose source cannot be read leaves no partial file', async (t) => {
  const { root, store } = await newStore();
  await t.throwsAsync(store.put('org/assets/a', join(folder, 'missing')), { code: 'ENOENT' });
  t.deepEqual(await readdir(join(root, 'org/assets')), []);
});

test('files and the signing key are readable by their owner only; stores of one folder share the key', async (t) => {
  const { root, store } = await newStore();
  await store.put('org/assets/a', await newFile());
  t.is((await stat(root)).mode & 0o077, 0);
  t.is((await stat(join(root, '.signing-key'))).mode & 0o777, 0o600);
  const opened = await Promise.all(
    Array.from({ length: 5 }, () => openDiskFileStore({ folder: root, baseUrl: 'https://other.example' })),
  );
  const token = tokenOf(await store.downloadUrl('org/assets/a', details()));
  for (const each of opened) t.truthy(await each.readSigned(token, new Date()));
});
