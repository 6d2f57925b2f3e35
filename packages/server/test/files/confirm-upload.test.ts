import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { useApp } from '@runward/testing/app';
import { must } from '@runward/testing/process';
import { until } from '@runward/testing/until';
import test from 'ava';
import { sql } from 'kysely';
import { purgeUploads } from '../../src/files/purge-uploads.ts';
import { announce, openForm, type FileForm } from '../support/files.ts';

const app = useApp(test);

const stored = ({ org }: FileForm, kind: 'files' | 'uploads') =>
  readdir(join(app.filesFolder, org.organizationId, kind));

/** The number of transactions that are open and wait for the service. */
async function openTransactions(): Promise<number> {
  const { rows } = await sql`
    select 1 from pg_stat_activity where datname = current_database() and state like 'idle in transaction%'
  `.execute(app.database.em.fork().getKysely());
  return rows.length;
}

test('no transaction is open while an upload is checked, and a repeated confirmation leaves no copy', async (t) => {
  const form = await openForm(app);
  const upload = await announce(app, form, 'papers', { size: 1 });
  await upload.send('x');
  let copies = 0;
  const { copy } = app.files;
  app.files.copy = async (...keys) => {
    copies += 1;
    // A transaction of the request itself would stay open until the copy is made. Those of the others end.
    await until(async () => (await openTransactions()) === 0, 'the end of every transaction');
    return copy(...keys);
  };
  t.teardown(() => Object.assign(app.files, { copy }));
  const confirm = (body: object = { fileId: upload.fileId }) =>
    form.api.raw('POST', '/files/confirm', { body, headers: { 'idempotency-key': 'once' } });
  const all = await Promise.all([confirm(), confirm(), confirm()]);
  t.deepEqual(
    all.map(({ status }) => status),
    [200, 200, 200],
  );
  t.is(all.filter(({ headers }) => headers.get('idempotency-replayed') === 'true').length, 2);
  t.true(copies > 0);
  await until(async () => (await stored(form, 'files')).length === 1, 'the removal of the other copies');
  await until(async () => (await stored(form, 'uploads')).length === 0, 'the removal of the uploaded bytes');

  // The stored response does not depend on what became of the file.
  await must(form.api.call('files', 'delete', { params: { id: upload.fileId } }));
  const again = await confirm();
  t.deepEqual([again.status, again.body], [200, all[0].body]);
  t.is((await confirm({ fileId: form.runId })).status, 400);
  t.is((await upload.confirm()).status, 404);
});

test('a confirmation that another one overtakes returns the file', async (t) => {
  const form = await openForm(app);
  const upload = await announce(app, form, 'papers', { size: 1 });
  await upload.send('x');
  const { find } = app.files;
  app.files.find = async (key) => {
    // Other tests look for their files meanwhile.
    if (!key.endsWith(upload.fileId)) return find(key);
    app.files.find = find;
    await must(upload.confirm());
    await until(async () => (await find(key)) === null, 'the removal of the uploaded bytes');
    return find(key);
  };
  t.teardown(() => Object.assign(app.files, { find }));
  t.is((await must(upload.confirm())).id, upload.fileId);
  t.is(await form.value('papers').then((value) => [value].flat().length), 1);
});

test('two direct uploads are processed at a time; the others wait, and other requests do not', async (t) => {
  const form = await openForm(app);
  const { put } = app.files;
  const [started, gate] = [new Set<string>(), Promise.withResolvers<void>()];
  app.files.put = async (key, path) => {
    started.add(key);
    await gate.promise;
    return put(key, path);
  };
  t.teardown(() => Object.assign(app.files, { put }));

  const uploads = ['a', 'b', 'c', 'd'].map((content) => form.upload('papers', content));
  await until(async () => (await readdir(app.uploadsFolder)).length === 4, 'the content of four uploads');
  await until(() => started.size === 2, 'two uploads in progress');
  await must(form.api.call('runs', 'get', { params: { id: form.runId } }));
  t.is(started.size, 2);

  gate.resolve();
  for (const upload of uploads) await must(upload);
  t.is(started.size, 4);
  t.is([await form.value('papers')].flat().length, 4);
});

test.serial('an upload that ends after it was confirmed or purged is a 404 and leaves no bytes', async (t) => {
  const form = await openForm(app);
  const endAfter = async (meanwhile: (upload: Awaited<ReturnType<typeof announce>>) => Promise<unknown>) => {
    const upload = await announce(app, form, 'papers', { size: 4 });
    t.is((await upload.send('abcd')).status, 204);
    const rest = Promise.withResolvers<void>();
    const late = upload.send(
      new ReadableStream({
        start: (stream) => stream.enqueue(Buffer.from('ef')),
        pull: async (stream) => {
          await rest.promise;
          stream.enqueue(Buffer.from('gh'));
          stream.close();
        },
      }),
    );
    await until(async () => (await readdir(join(app.filesFolder, '.partial'))).length > 0, 'the first bytes');
    await meanwhile(upload);
    await until(async () => (await stored(form, 'uploads')).length === 0, 'the removal of the first upload');
    rest.resolve();
    t.is((await late).status, 404);
    t.deepEqual(await stored(form, 'uploads'), []);
  };
  await endAfter(({ confirm }) => must(confirm()));
  await endAfter(({ fileId: id }) => must(form.api.call('files', 'delete', { params: { id } })));
  await endAfter(async ({ fileId: id }) => {
    await app.provision.query('update files set expires_at = created_at where id = $1', [id]);
    await purgeUploads(app.database.em.fork(), app.files, new AbortController().signal);
  });
});

test.serial('a client that leaves in the middle of a presigned upload leaves nothing behind', async (t) => {
  const form = await openForm(app);
  const upload = await announce(app, form, 'papers', { size: 1_000_000 });
  const partial = () => readdir(join(app.filesFolder, '.partial'));
  const leaving = new AbortController();
  const sent = fetch(upload.url, {
    method: 'PUT',
    headers: upload.headers,
    signal: leaving.signal,
    duplex: 'half',
    body: new ReadableStream({ start: (stream) => stream.enqueue(new Uint8Array(100_000)) }),
  });
  await until(async () => (await partial()).length > 0, 'the file');
  leaving.abort();
  await t.throwsAsync(sent);
  await until(async () => (await partial()).length === 0, 'the removal of the file');
  t.regex(String((await upload.confirm()).error.message), /^Nothing was uploaded yet/);
});
