import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { contract } from '@runward/contract';
import { must } from '@runward/testing/process';
import { until } from '@runward/testing/until';
import { useSharedApp } from '@runward/testing/use-shared-app';
import test from 'ava';
import { announce, directUploadPath, download, openForm, picture, sha256, type FileForm } from '../support/files.ts';

const app = useSharedApp(test);

const stored = async ({ org }: FileForm, kind: 'files' | 'uploads' = 'files') =>
  readdir(join(app.filesFolder, org.organizationId, kind)).catch(() => []);

const complete = ({ api, entryId }: FileForm) =>
  api.call('execution', 'complete', { body: { executionEntryId: entryId } });

test('an uploaded file fills its required field and can be downloaded', async (t) => {
  const form = await openForm(app, { required: true });
  t.is((await complete(form)).status, 400);
  const { status, body: file } = await form.upload('papers', 'Hello', 'C:\\papers\\résumé.txt');
  t.is(status, 201);
  t.like(file, {
    fileName: 'résumé.txt'.normalize('NFC'),
    contentType: 'application/octet-stream',
    size: 5,
    sha256: sha256('Hello'),
    scanStatus: 'SKIPPED',
    executionEntryId: form.entryId,
    runTaskFieldId: form.field('papers'),
    createdByUserId: form.org.ownerUserId,
  });
  t.deepEqual(await form.value('papers'), [file.id]);
  const summaries = await must(form.api.call('runs', 'summaries', { params: { id: form.runId } }));
  t.is(summaries.data[0]?.fields[0]?.displayValue, 'résumé.txt'.normalize('NFC'));
  const response = await download(app, form.api, file.id);
  t.is(await response.text(), 'Hello');
  t.is((await complete(form)).status, 204);
  const { data } = await must(form.api.call('runs', 'activity', { params: { id: form.runId } }));
  t.true(data.some(({ type, data: fact }) => type === 'value.submitted' && JSON.stringify(fact).includes(file.id)));
});

test('FILE_UPLOAD fields collect files, SIGNATURE and IMAGE fields keep the last', async (t) => {
  const form = await openForm(app);
  const [one, two] = [await must(form.upload('papers', '1')), await must(form.upload('papers', '2'))];
  t.deepEqual(await form.value('papers'), [one.id, two.id]);
  const png = await picture();
  await must(form.upload('signature', png, 'a.png'));
  const last = await must(form.upload('signature', png, 'b.png'));
  t.is(await form.value('signature'), last.id);
  t.is(last.contentType, 'image/png');

  const submit = (value: string[] | string | null, key = 'papers') =>
    form.api.call('execution', 'submit', {
      body: { executionEntryId: form.entryId, runTaskFieldId: form.field(key), value },
    });
  t.is((await submit([two.id, one.id])).status, 201);
  t.deepEqual(await form.value('papers'), [two.id, one.id]);
  t.is((await submit([last.id])).status, 400);
  t.is((await submit([one.id])).status, 201);
  t.is((await submit([two.id])).status, 400);
  const { data } = await must(form.api.call('files', 'list', { query: { executionEntryId: form.entryId } }));
  t.deepEqual(
    data.map(({ id }) => id),
    [last.id, one.id],
  );
});

test('a single id as the value of a FILE_UPLOAD field stays one until the next upload', async (t) => {
  const form = await openForm(app);
  const { id } = await must(form.upload('papers', 'x'));
  t.deepEqual(await form.value('papers'), [id]);
  const body = { executionEntryId: form.entryId, runTaskFieldId: form.field('papers'), value: id };
  await must(form.api.call('execution', 'submit', { body }));
  t.is(await form.value('papers'), id);
  const { id: next } = await must(form.upload('papers', 'y'));
  t.deepEqual(await form.value('papers'), [id, next]);
});

test('a file that does not fit its field is a 400 that names the part, and nothing is stored', async (t) => {
  const form = await openForm(app);
  const svg = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>';
  const bad: [string, Uint8Array | string, string, RegExp][] = [
    ['name', 'x', 'a.txt', /^runTaskFieldId: "name" is a TEXT field; files can be attached to FILE_UPLOAD/],
    ['signature', svg, 'a.png', /^file: "signature" takes image\/png, .* this file is application\/octet-stream$/],
    [
      'photo',
      '%PDF-1.7\n%',
      'a.jpg',
      /^file: "photo" takes image\/png, .* image\/heif; this file is application\/pdf$/,
    ],
    ['papers', '', 'a.txt', /^file: must not be empty$/],
    ['papers', 'x', 'a\u202Etxt.exe', /^file: file name must not contain control characters or bidirectional/],
    ['papers', 'x', 'a\nb.txt', /^file: file name must not contain control characters/],
  ];
  for (const [key, content, name, message] of bad) {
    const { status, error } = await form.upload(key, content, name);
    t.is(status, 400, String(message));
    t.regex([error.message].flat().join('; '), message);
  }
  t.deepEqual(await stored(form), []);
  t.is(await form.value('papers'), undefined);
});

test('files can be uploaded, confirmed and deleted only while the entry, its task and its run are open', async (t) => {
  const form = await openForm(app);
  const file = await must(form.upload('papers', 'x'));
  const upload = await announce(app, form, 'papers', { size: 1 });
  t.is((await upload.send('y')).status, 204);
  t.is((await complete(form)).status, 204);
  const rejected = async (message: RegExp) => {
    const place = { executionEntryId: form.entryId, runTaskFieldId: form.field('papers') };
    const body = { ...place, fileName: 'a', contentType: 'text/plain', size: 1 };
    for (const { status, error } of [
      await form.upload('papers', 'x'),
      await form.api.call('files', 'uploadUrl', { body }),
      await upload.confirm(),
      await form.api.call('files', 'delete', { params: { id: file.id } }),
    ]) {
      t.is(status, 400);
      t.regex(String(error.message), message);
    }
  };
  await rejected(/is completed/);
  await must(form.api.call('runs', 'cancel', { params: { id: form.runId } }));
  await rejected(/run .*(cancelled|not active)/i);
  t.is(await (await download(app, form.api, file.id)).text(), 'x');
  await until(async () => (await stored(form)).length === 1, 'the removal of what was not attached');
});

test('a presigned upload is attached by its confirmation, which can be repeated', async (t) => {
  const form = await openForm(app);
  const content = await picture('jpeg', 60, 40);
  const upload = await announce(app, form, 'photo', { size: content.length, contentType: 'image/jpeg' });
  t.is((await upload.confirm()).status, 400);
  t.is((await upload.send(content)).status, 204);
  t.is(await form.value('photo'), undefined);
  const [{ body: file, status }, again] = await Promise.all([upload.confirm(), upload.confirm()]);
  t.deepEqual([status, again.status], [200, 200]);
  t.deepEqual(again.body, file);
  t.like(file, { id: upload.fileId, contentType: 'image/jpeg', size: content.length, sha256: sha256(content) });
  t.is(await form.value('photo'), file.id);
  t.deepEqual((await upload.confirm()).body, file);

  // The content is not the one under the URL any more.
  t.is((await upload.send(content)).status, 404);
  await until(async () => (await stored(form)).length === 1, 'one copy');
  await until(async () => (await stored(form, 'uploads')).length === 0, 'the removal of the uploaded bytes');
  const other = await announce(app, form, 'photo', { size: content.length, contentType: 'image/jpeg' });
  await other.send(content);
  await must(other.confirm());
  t.is(await form.value('photo'), other.fileId);
});

test('content that differs from its announcement is rejected when it is sent or confirmed', async (t) => {
  const form = await openForm(app);
  const upload = await announce(app, form, 'papers', { size: 4, contentType: 'image/png' });
  const chunked = (text: string) => new Blob([text]).stream();
  for (const body of ['abc', 'abcde', chunked('abc'), chunked('abcde')]) t.is((await upload.send(body)).status, 400);
  t.is((await upload.send('abcd', { 'content-type': 'image/gif' })).status, 400);
  t.deepEqual(await stored(form, 'uploads'), []);
  t.regex(String((await upload.confirm()).error.message), /^Nothing was uploaded yet/);
  t.is((await upload.send('abcd')).status, 204);
  t.regex(String((await upload.confirm()).error.message), /of another type, but image\/png was announced/);
  await until(async () => (await stored(form)).length === 0, 'the removal of the copy');

  const altered = new URL(upload.url);
  altered.pathname = altered.pathname.replace(/\.(.)/, (_, first: string) => `.${first === 'A' ? 'B' : 'A'}`);
  t.is((await fetch(altered, { method: 'PUT', headers: upload.headers, body: 'abcd' })).status, 404);
  t.is((await fetch(upload.url)).status, 404);
  const place = { executionEntryId: form.entryId, runTaskFieldId: form.field('papers') };
  const tooLarge = { ...place, fileName: 'a', contentType: 'text/plain', size: 5 * 1024 ** 3 + 1 };
  t.is((await form.api.call('files', 'uploadUrl', { body: tooLarge })).status, 400);
});

test('an expired upload cannot be confirmed', async (t) => {
  const form = await openForm(app);
  const upload = await announce(app, form, 'papers', { size: 1 });
  await upload.send('x');
  await app.provision.query('update files set expires_at = now() where id = $1', [upload.fileId]);
  t.is((await upload.confirm()).status, 404);
});

test('a confirmation with an idempotency key keeps the bytes of the file, and can be repeated', async (t) => {
  const form = await openForm(app);
  const { fileId, send } = await announce(app, form, 'papers', { size: 1 });
  await send('x');
  const request = { body: { fileId }, headers: { 'idempotency-key': 'once' } };
  const confirm = () => form.api.raw('POST', contract.files.confirm.path, request);
  const first = await confirm();
  t.is(first.status, 200);
  t.deepEqual((await confirm()).body, first.body);
  await until(async () => (await stored(form, 'uploads')).length === 0, 'the removal of the uploaded bytes');
  t.is(await (await download(app, form.api, fileId)).text(), 'x');
});

test('a deleted file leaves its value, its bytes and its URLs', async (t) => {
  const form = await openForm(app);
  const [file, other] = [await must(form.upload('papers', 'x')), await must(form.upload('papers', 'y'))];
  const { url } = await must(form.api.call('files', 'downloadUrl', { params: { id: file.id } }));
  const remove = () => form.api.call('files', 'delete', { params: { id: file.id } });
  t.is((await remove()).status, 204);
  t.is((await remove()).status, 404);
  t.deepEqual(await form.value('papers'), [other.id]);
  t.is((await fetch(new URL(new URL(url).pathname, app.baseUrl))).status, 404);
  await until(async () => (await stored(form)).length === 1, 'the removal of the bytes');
});

test('a file of a task that a migration removed can be downloaded, and deleted once the task is back', async (t) => {
  const form = await openForm(app);
  const { api, templateId, runId } = form;
  const file = await must(form.upload('papers', 'x'));
  const { templateVersionId: first } = await must(api.call('runs', 'get', { params: { id: runId } }));
  const body = { phases: [], variables: [], tasks: [{ title: 'Other' }] };
  await must(api.call('templates.draft', 'replace', { params: { id: templateId }, body }));
  const { id: second } = await must(api.call('templates', 'publish', { params: { id: templateId } }));
  const migrate = (toVersionId: string) =>
    must(api.call('runs', 'migrate', { params: { id: runId }, body: { toVersionId } }));
  const remove = () => api.call('files', 'delete', { params: { id: file.id } });
  await migrate(second);
  const { status, error } = await remove();
  t.is(status, 400);
  t.regex(String(error.message), /migrat/);
  t.is(await (await download(app, api, file.id)).text(), 'x');
  await migrate(first);
  t.deepEqual(await form.value('papers'), [file.id]);
  t.is((await remove()).status, 204);
  t.is(await form.value('papers'), null);
});

test('a field takes 20 files at most', async (t) => {
  const form = await openForm(app);
  for (let number = 0; number < 20; number += 1) await must(form.upload('papers', String(number)));
  const { error } = await form.upload('papers', '20');
  t.regex(String(error.message), /^runTaskFieldId: "papers" has 20 files, the most a field can have/);
  t.is((await stored(form)).length, 20);
});

test('the same idempotency key uploads once', async (t) => {
  const form = await openForm(app);
  const send = async () => {
    const body = new FormData();
    body.append('executionEntryId', form.entryId);
    body.append('runTaskFieldId', form.field('papers'));
    body.append('file', new File(['x'], 'a.txt'));
    return form.api.raw('POST', directUploadPath, { body, headers: { 'idempotency-key': 'once' } });
  };
  const [first, second] = [await send(), await send()];
  t.is(first.status, 201);
  t.deepEqual(second.body, first.body);
  t.is((await stored(form)).length, 1);
});
