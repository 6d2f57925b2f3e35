import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { newOrganization } from '@runward/testing/organization';
import { must, publishProcess } from '@runward/testing/process';
import { until } from '@runward/testing/until';
import { useSharedApp } from '@runward/testing/use-shared-app';
import test from 'ava';
import { atPort, picture } from '../support/files.ts';

const app = useSharedApp(test);

test('an image of a template is re-encoded, can be downloaded, and is deleted with its template', async (t) => {
  const { api, organizationId } = await newOrganization(app);
  const { templateId } = await publishProcess(api);
  const upload = async (content: Uint8Array) =>
    api.call('files', 'uploadTemplateAsset', {
      body: { templateId, file: new File([new Uint8Array(content)], 'a.png') },
    });
  const { status, body: asset } = await upload(await picture('png', 30, 10));
  t.is(status, 201);
  t.like(asset, { templateId, contentType: 'image/png', width: 30, height: 10 });
  t.is((await upload(Buffer.from('text'))).status, 400);

  const url = () => api.call('files', 'templateAssetUrl', { query: { assetId: asset.id } });
  const issued = atPort(app, (await must(url())).url);
  const response = await fetch(issued);
  t.is(response.headers.get('content-type'), 'image/png');
  t.is((await response.arrayBuffer()).byteLength, asset.size);

  await must(api.call('templates', 'delete', { params: { id: templateId } }));
  t.is((await url()).status, 404);
  t.is((await fetch(issued)).status, 404);
  const folder = join(app.filesFolder, organizationId, 'assets');
  await until(async () => (await readdir(folder)).length === 0, 'the removal of the file');
});

test('the images of a template are outside the scope of a key of another template, and of another organization', async (t) => {
  const org = await newOrganization(app);
  const { templateId } = await publishProcess(org.api);
  const { templateId: other } = await publishProcess(org.api);
  const file = new File([new Uint8Array(await picture())], 'a.png');
  const asset = await must(org.api.call('files', 'uploadTemplateAsset', { body: { templateId, file } }));
  const restricted = await org.key({
    scopes: ['files:read', 'files:write'],
    resourceMode: 'SELECTED_TEMPLATES',
    scopedTemplateIds: [other],
  });
  const { api: stranger } = await newOrganization(app);
  for (const [api, status] of [
    [restricted, 403],
    [stranger, 404],
  ] as const) {
    t.is((await api.call('files', 'templateAssetUrl', { query: { assetId: asset.id } })).status, status);
    t.is((await api.call('files', 'uploadTemplateAsset', { body: { templateId, file } })).status, status);
  }
});
