import { newOrganization } from '@runward/testing/organization';
import { publishProcess } from '@runward/testing/process';
import { useSharedApp } from '@runward/testing/use-shared-app';
import test from 'ava';
import {
  createClient,
  isApiError,
  isNotFound,
  isPermissionError,
  isPreconditionFailed,
  isValidationError,
} from '../src/index.ts';
import { errorOf, id } from './support/client.ts';

const app = useSharedApp(test);

/** A PNG of one pixel. */
const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

async function newClient() {
  const { api, apiKey, plainKey } = await newOrganization(app);
  return { api, plainKey, runward: createClient({ baseUrl: app.baseUrl, apiKey }) };
}

test('a PermissionError of the service names the missing scope', async (t) => {
  const { plainKey } = await newClient();
  const runward = createClient({ baseUrl: app.baseUrl, apiKey: await plainKey({ scopes: ['runs:read'] }) });
  const error = await errorOf(runward.webhooks.list());
  t.true(isPermissionError(error));
  t.is(isPermissionError(error) && error.missingScope, 'webhooks:manage');
});

test('a list of the service is iterated over all pages, newest first', async (t) => {
  const { runward } = await newClient();
  for (const name of ['a', 'b', 'c']) await runward.templates.create({ name });
  const names: string[] = [];
  for await (const template of runward.templates.list({ limit: 2 })) names.push(template.name);
  t.deepEqual(names, ['c', 'b', 'a']);
});

test('exportCsv downloads the runs that match its query', async (t) => {
  const { api, runward } = await newClient();
  const { templateId } = await publishProcess(api, [{ title: 'A' }]);
  for (const title of ['Größe, "1"', 'B']) await runward.runs.launch({ templateId, title });
  const cancelled = await runward.runs.launch({ templateId, title: 'C' });
  await runward.runs.cancel(cancelled.id);
  const all = await runward.runs.exportCsv();
  t.regex(all.contentType, /^text\/csv\b/);
  t.regex(all.fileName, /^\S+\.csv$/);
  t.is(all.size, null);
  const lines = (await all.text()).trimEnd().split('\r\n');
  t.is(lines.length, 4);
  t.true(lines[3]?.includes('"Größe, ""1"""'));
  const { body } = await runward.runs.exportCsv({ status: 'CANCELLED' });
  const parts = await Array.fromAsync(body.pipeThrough(new TextDecoderStream()));
  const rows = parts.join('').trimEnd().split('\r\n').slice(1);
  t.is(rows.length, 1);
  t.true(rows[0]?.includes(cancelled.id));
});

test('exportCsv with a missing scope rejects with a PermissionError', async (t) => {
  const { plainKey } = await newClient();
  const runward = createClient({ baseUrl: app.baseUrl, apiKey: await plainKey({ scopes: ['templates:read'] }) });
  t.true(isPermissionError(await errorOf(runward.runs.exportCsv())));
});

test('setBackgroundImage uploads a Blob or a File, and its response is the template', async (t) => {
  const { runward } = await newClient();
  const template = await runward.templates.create({ name: 'With a picture' });
  t.is(template.backgroundImage, null);
  const blob = await runward.templates.setBackgroundImage(template.id, { file: new Blob([png]) });
  t.is(blob.id, template.id);
  t.truthy(blob.backgroundImage);
  const file = new File([png], 'größe.png', { type: 'image/png' });
  const replaced = await runward.templates.setBackgroundImage(template.id, { file });
  t.not(replaced.backgroundImage?.assetId, blob.backgroundImage?.assetId);
});

test('an upload that is repeated with its idempotency key returns the stored response', async (t) => {
  const { runward } = await newClient();
  const { id: templateId } = await runward.templates.create({ name: 'With a picture' });
  const idempotencyKey = crypto.randomUUID();
  const upload = () => runward.templates.setBackgroundImage(templateId, { file: new Blob([png]) }, { idempotencyKey });
  const first = await upload().withResponse();
  const second = await upload().withResponse();
  t.is(first.response.headers.get('idempotency-replayed'), null);
  t.is(second.response.headers.get('idempotency-replayed'), 'true');
  t.is(second.data.backgroundImage?.assetId, first.data.backgroundImage?.assetId);
});

test('an upload that the service rejects is the typed error of the response', async (t) => {
  const { runward } = await newClient();
  const { id: templateId } = await runward.templates.create({ name: 'With a picture' });
  const upload = (templateId: string, file: Blob) =>
    errorOf(runward.templates.setBackgroundImage(templateId, { file }));
  t.true(isValidationError(await upload(templateId, new Blob(['not an image']))));
  t.true(isNotFound(await upload(id, new Blob([png]))));
  const tooLarge = await upload(templateId, new Blob([new Uint8Array(50 * 1024 * 1024)]));
  t.is(isApiError(tooLarge) && tooLarge.statusCode, 413, String(tooLarge));
});

test('a write with ifMatch takes a version or an etag, and rejects with a PreconditionFailedError after a change', async (t) => {
  const { runward } = await newClient();
  const { data: created, etag } = await runward.templates.create({ name: 'Supplier onboarding' }).withResponse();
  t.is(etag, `"${created.version}"`);
  const byVersion = runward.templates.update(created.id, { name: 'Renamed' }, { ifMatch: created.version });
  const renamed = await byVersion.withResponse();
  t.is(renamed.data.name, 'Renamed');
  t.is(renamed.etag, `"${renamed.data.version}"`);
  t.not(renamed.etag, etag);

  for (const ifMatch of [created.version, etag ?? '']) {
    t.true(isPreconditionFailed(await errorOf(runward.templates.update(created.id, { name: 'Lost' }, { ifMatch }))));
  }
  t.is((await runward.templates.get(created.id)).name, 'Renamed');
  t.is((await runward.templates.update(created.id, { name: 'Again' }, { ifMatch: renamed.etag ?? '' })).name, 'Again');
  await runward.templates.delete(created.id, { ifMatch: '*' });
});

test('the etag is null for a record without a version', async (t) => {
  const { runward } = await newClient();
  t.is((await runward.runs.counts().withResponse()).etag, null);
});
