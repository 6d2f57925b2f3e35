import { access, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { newOrganization, type TestOrganization } from '@runward/testing/organization';
import { must, publishProcess } from '@runward/testing/process';
import { until } from '@runward/testing/until';
import { useSharedApp } from '@runward/testing/use-shared-app';
import test from 'ava';
import sharp from 'sharp';
import { connectTo } from '../support/database/connect.ts';
import { untilOthersQueue, untilOthersWait } from '../support/database/locks.ts';
import { newFolder } from '../support/templates.ts';

const app = useSharedApp(test);

const organizationIds: string[] = [];

async function newOrg(): Promise<TestOrganization> {
  const org = await newOrganization(app);
  organizationIds.push(org.organizationId);
  return org;
}

test.after('no row of an image has lost its bytes', async (t) => {
  const text = 'select storage_key as key from template_assets where organization_id = any ($1)';
  const rows = await app.provision.query<{ key: string }>(text, [organizationIds]);
  for (const { key } of rows) await t.notThrowsAsync(access(join(app.filesFolder, key)));
});

const image = (format: 'png' | 'jpeg' | 'webp' | 'gif' = 'png', background = '#08c') =>
  sharp({ create: { width: 30, height: 10, channels: 3, background } })
    .toFormat(format)
    .toBuffer();

const fileOf = (content: Uint8Array, name = 'background.png') => new File([new Uint8Array(content)], name);

async function upload({ api }: Pick<TestOrganization, 'api'>, id: string, content: Uint8Array, name?: string) {
  return api.call('templates', 'setBackgroundImage', { params: { id }, body: { file: fileOf(content, name) } });
}

/** The image behind a signed URL; its origin is that of the configuration, not of the test's port. */
async function download(url: string): Promise<Response> {
  return fetch(new URL(new URL(url).pathname, app.baseUrl));
}

async function storedFiles({ organizationId }: TestOrganization): Promise<string[]> {
  return readdir(join(app.filesFolder, organizationId, 'assets')).catch(() => []);
}

for (const format of ['png', 'jpeg', 'webp', 'gif'] as const) {
  test(`a ${format} becomes the background image and can be downloaded without a key`, async (t) => {
    const org = await newOrg();
    const { templateId } = await publishProcess(org.api);
    t.is((await must(org.api.call('templates', 'get', { params: { id: templateId } }))).backgroundImage, null);
    const { backgroundImage } = await must(upload(org, templateId, await image(format), `x.${format}`));
    if (!backgroundImage) return t.fail();
    const expiresIn = Date.parse(backgroundImage.expiresAt) - Date.now();
    t.true(expiresIn > 13 * 60_000 && expiresIn <= 15 * 60_000);

    const response = await download(backgroundImage.url);
    t.is(response.status, 200);
    t.is(response.headers.get('content-type'), `image/${format}`);
    t.is(response.headers.get('content-disposition'), `attachment; filename="background.${format}"`);
    t.is(response.headers.get('x-content-type-options'), 'nosniff');
    t.is(response.headers.get('cross-origin-resource-policy'), 'cross-origin');
    const content = Buffer.from(await response.arrayBuffer());
    t.is(Number(response.headers.get('content-length')), content.length);
    t.like(await sharp(content).metadata(), { format, width: 30, height: 10 });
  });
}

test('every representation of a template shows its background image', async (t) => {
  const org = await newOrg();
  const { templateId: id } = await publishProcess(org.api);
  const { backgroundImage } = await must(upload(org, id, await image()));
  const [listed] = (await must(org.api.call('templates', 'list'))).data;
  const updated = await must(org.api.call('templates', 'update', { params: { id }, body: { name: 'Renamed' } }));
  for (const shown of [listed, updated]) t.is(shown?.backgroundImage?.assetId, backgroundImage?.assetId);
});

test('a new image replaces the one before, whose file and URLs are gone', async (t) => {
  const org = await newOrg();
  const { templateId } = await publishProcess(org.api);
  const before = await must(upload(org, templateId, await image()));
  const after = await must(upload(org, templateId, await image('jpeg')));
  t.not(after.backgroundImage?.assetId, before.backgroundImage?.assetId);
  await until(async () => (await storedFiles(org)).length === 1, 'the removal of the replaced file');
  t.deepEqual(await storedFiles(org), [after.backgroundImage?.assetId ?? '']);
  t.is((await download(before.backgroundImage?.url ?? '')).status, 404);
  t.is((await download(after.backgroundImage?.url ?? '')).status, 200);
});

test('of images that are set at the same time one remains', async (t) => {
  const org = await newOrg();
  const { templateId } = await publishProcess(org.api);
  const content = await image();
  const set = await Promise.all(Array.from({ length: 4 }, () => upload(org, templateId, content)));
  for (const { status } of set) t.is(status, 200);
  await until(async () => (await storedFiles(org)).length === 1, 'the removal of the replaced files');
  const { backgroundImage } = await must(org.api.call('templates', 'get', { params: { id: templateId } }));
  t.deepEqual(await storedFiles(org), [backgroundImage?.assetId ?? '']);
});

test('null removes the image, and so does deleting the template', async (t) => {
  const org = await newOrg();
  const { templateId: id } = await publishProcess(org.api);
  await must(upload(org, id, await image()));
  const cleared = await must(org.api.call('templates', 'update', { params: { id }, body: { backgroundImage: null } }));
  t.is(cleared.backgroundImage, null);
  await until(async () => (await storedFiles(org)).length === 0, 'the removal of the file');

  await must(upload(org, id, await image()));
  t.is((await org.api.call('templates', 'delete', { params: { id } })).status, 204);
  await until(async () => (await storedFiles(org)).length === 0, 'the removal of the file');
});

test('a duplicate has an image of its own', async (t) => {
  const org = await newOrg();
  const { templateId: id } = await publishProcess(org.api);
  const original = await must(upload(org, id, await image()));
  const copy = await must(org.api.call('templates', 'duplicate', { params: { id } }));
  t.truthy(copy.backgroundImage);
  t.not(copy.backgroundImage?.assetId, original.backgroundImage?.assetId);
  t.is((await org.api.call('templates', 'delete', { params: { id } })).status, 204);
  t.is((await download(copy.backgroundImage?.url ?? '')).status, 200);
});

test('a duplicate has the image of its original, even if that is replaced meanwhile', async (t) => {
  const org = await newOrg();
  const folderId = await newFolder(app, org.organizationId);
  const { templateId: id } = await publishProcess(org.api, undefined, { folderId });
  await must(upload(org, id, await image()));
  const holder = await connectTo(t, app.databaseUrl);
  await holder.query('begin');
  // The duplicate refers to the folder before it copies the image.
  await holder.query('select from folders where id = $1 for update', [folderId]);
  const duplicate = org.api.call('templates', 'duplicate', { params: { id } });
  await untilOthersWait(async (text) => (await holder.query(text)).rows);
  const replacement = upload(org, id, await image('webp'));
  await untilOthersQueue(holder);
  await holder.query('rollback');
  const { backgroundImage } = await must(duplicate);
  t.is((await download(backgroundImage?.url ?? '')).headers.get('content-type'), 'image/png');
  t.is((await replacement).status, 200);
});

test('the same idempotency key stores one image', async (t) => {
  const org = await newOrg();
  const { templateId } = await publishProcess(org.api);
  const send = async (content: Buffer) => {
    const body = new FormData();
    body.append('file', fileOf(content));
    return org.api.raw('POST', `/templates/${templateId}/background-image`, {
      body,
      headers: { 'idempotency-key': 'once' },
    });
  };
  const content = await image();
  const [first, second] = [await send(content), await send(content)];
  t.is(first.status, 200);
  t.deepEqual(second.body, first.body);
  t.is(second.headers.get('idempotency-replayed'), 'true');
  await until(async () => (await storedFiles(org)).length === 1, 'the removal of the second image');
  t.is((await send(await image('webp'))).status, 400);
  await until(async () => (await storedFiles(org)).length === 1, 'the removal of the third image');
});

test('a file that is no image of these types is rejected with its field, and nothing is stored', async (t) => {
  const org = await newOrg();
  const { templateId } = await publishProcess(org.api);
  const png = await image();
  const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>');
  for (const content of [
    svg,
    Buffer.from('plain text'),
    Buffer.from('%PDF-1.7 ...'),
    png.subarray(0, 70),
    Buffer.alloc(0),
  ]) {
    const { status, error } = await upload(org, templateId, content);
    t.is(status, 400);
    t.regex([error.message].flat()[0] ?? '', /^file: /);
  }
  t.deepEqual(await storedFiles(org), []);
});

test('a template of another organization and one outside the resource scope are out of reach', async (t) => {
  const [org, other] = [await newOrg(), await newOrg()];
  const { templateId } = await publishProcess(org.api);
  const { templateId: allowed } = await publishProcess(org.api);
  t.is((await upload(other, templateId, await image())).status, 404);
  const api = await org.key({
    scopes: ['templates:write'],
    resourceMode: 'SELECTED_TEMPLATES',
    scopedTemplateIds: [allowed],
  });
  t.is((await upload({ api }, templateId, await image())).status, 403);
  t.is((await upload({ api }, allowed, await image())).status, 200);
});
