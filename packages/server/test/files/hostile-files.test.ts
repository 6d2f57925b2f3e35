import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { newOrganization } from '@runward/testing/organization';
import { launchRun, must } from '@runward/testing/process';
import { until } from '@runward/testing/until';
import { useSharedApp } from '@runward/testing/use-shared-app';
import test from 'ava';
import { announce, directUpload, download, openForm, picture, thumbnailOf, type FileForm } from '../support/files.ts';
import { publishDraft } from '../support/templates.ts';

const app = useSharedApp(test);

const script = '<script>alert(document.domain)</script>';
const svg = `<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)">${script}</svg>`;
const html = `<!doctype html><html><body>${script}</body></html>`;
/** The end of a ZIP, which readers of ZIP look for from behind. */
const zipEnd = Buffer.from('504b0506000000000000000000000000000000000000', 'hex');

const stored = async ({ org }: FileForm) => readdir(join(app.filesFolder, org.organizationId, 'files')).catch(() => []);

test('content that browsers could run is served as an attachment of a type that they do not', async (t) => {
  const form = await openForm(app);
  for (const [content, name] of [
    [svg, 'a.svg'],
    [`<?xml version="1.0"?>${svg}`, 'b.svg'],
    [html, 'a.html'],
    [`<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml">${script}</html>`, 'a.xhtml'],
    [`\n\t${html}`, 'a.png'],
  ] as const) {
    const { id, contentType } = await must(form.upload('papers', content, name));
    t.is(contentType, 'application/octet-stream', content);
    const response = await download(app, form.api, id);
    t.is(await response.text(), content);
    t.is(response.headers.get('content-type'), 'application/octet-stream');
    t.regex(response.headers.get('content-disposition') ?? '', /^attachment/);
    t.regex(response.headers.get('content-security-policy') ?? '', /sandbox$/);
    t.is(response.headers.get('x-content-type-options'), 'nosniff');
    t.is((await thumbnailOf(form.api, id)).status, 404);
  }
});

test('text, HTML and SVG are no images, however they are named or announced', async (t) => {
  const form = await openForm(app);
  for (const content of [svg, `<?xml version="1.0"?>${svg}`, html, '\x89PNG', '%PDF-1.7']) {
    for (const key of ['photo', 'signature']) {
      t.is((await form.upload(key, content, 'a.png')).status, 400, content);
      const upload = await announce(app, form, key, { size: Buffer.byteLength(content), contentType: 'image/png' });
      t.is((await upload.send(content)).status, 204);
      t.is((await upload.confirm()).status, 400, content);
    }
  }
  await until(async () => (await stored(form)).length === 0, 'the removal of all copies');
});

test('a file that is an image and a ZIP or a script as well is stored and served as the image', async (t) => {
  const form = await openForm(app);
  const png = await picture();
  for (const [content, contentType] of [
    [Buffer.concat([png, zipEnd]), 'image/png'],
    [Buffer.concat([png, Buffer.from(html)]), 'image/png'],
    [Buffer.concat([await picture('gif'), Buffer.from(`/*${script}*/`)]), 'image/gif'],
  ] as const) {
    const file = await must(form.upload('papers', content, 'a.zip'));
    t.is(file.contentType, contentType);
    const response = await download(app, form.api, file.id);
    t.deepEqual(Buffer.from(await response.arrayBuffer()), content);
    t.is(response.headers.get('content-type'), contentType);
    t.regex(response.headers.get('content-disposition') ?? '', /^attachment/);
  }
  const zip = Buffer.concat([Buffer.from('504b0304', 'hex'), Buffer.alloc(26), png, zipEnd]);
  t.is((await form.upload('photo', zip, 'a.png')).status, 400);
});

test('an image that announces 2,500 megapixels is stored, and has no thumbnail', async (t) => {
  const form = await openForm(app);
  const png = await picture();
  // The width and the height, in the header.
  png.writeUInt32BE(50_000, 16);
  png.writeUInt32BE(50_000, 20);
  const { id } = await must(form.upload('photo', png, 'a.png'));
  const { status, error } = await thumbnailOf(form.api, id);
  t.is(status, 404);
  t.regex(String(error.message), /cannot be decoded as an image of at most 50 megapixels/);
  const file = new File([new Uint8Array(png)], 'a.png');
  const asset = { templateId: form.templateId, file };
  t.is((await form.api.call('files', 'uploadTemplateAsset', { body: asset })).status, 400);
});

test('a hidden field takes no file, and keeps those that were attached before', async (t) => {
  const org = await newOrganization(app);
  const { api } = org;
  const hide = {
    conditions: [{ source: { type: 'FIELD' as const, fieldId: 'new:hide' }, operator: 'EQUALS' as const, value: true }],
    actions: [{ type: 'HIDE' as const, fieldIds: ['new:papers'] }],
  };
  const templateId = await publishDraft(api, [
    {
      title: 'Form',
      rules: [hide],
      fields: [
        { id: 'new:hide', key: 'hide', label: 'Hide', type: 'CHECKBOX' },
        { id: 'new:papers', key: 'papers', label: 'Papers', type: 'FILE_UPLOAD' },
      ],
    },
  ]);
  const run = await launchRun(api, templateId);
  const { runTaskId } = run.byTitle('Form');
  const { id: entryId } = await must(api.call('execution', 'open', { body: { runTaskId } }));
  const { data } = await must(api.call('templates', 'publishedFields', { params: { id: templateId } }));
  const field = (label: string) => data.find((each) => each.label === label)?.runTaskFieldId ?? '';
  const place = { executionEntryId: entryId, runTaskFieldId: field('Papers') };
  const upload = () => directUpload(api, { entryId, fieldId: field('Papers') }, 'x');
  const announced = () =>
    api.call('files', 'uploadUrl', { body: { ...place, fileName: 'a', contentType: 'text/plain', size: 1 } });
  const show = (isShown: boolean) =>
    api.call('execution', 'submit', {
      body: { executionEntryId: entryId, runTaskFieldId: field('Hide'), value: !isShown },
    });
  const file = await must(upload());
  const { fileId, uploadUrl } = await must(announced());
  const url = new URL(new URL(uploadUrl).pathname, app.baseUrl);
  const put = { method: 'PUT', headers: { 'content-type': 'text/plain' }, body: 'x' };
  t.is((await fetch(url, put)).status, 204);
  await must(show(false));

  const confirm = () => api.call('files', 'confirm', { body: { fileId } });
  const remove = () => api.call('files', 'delete', { params: { id: file.id } });
  for (const attempt of [upload, announced, confirm]) {
    const { status, error } = await attempt();
    t.is(status, 400);
    t.regex([error.message].flat()[0] ?? '', /^runTaskFieldId: .*hidden/);
  }
  t.is(await (await download(app, api, file.id)).text(), 'x');
  await must(show(true));
  t.is((await confirm()).status, 200);
  t.is((await remove()).status, 204);
  await until(
    async () => (await readdir(join(app.filesFolder, org.organizationId, 'files'))).length === 1,
    'the removal of the bytes',
  );
});
