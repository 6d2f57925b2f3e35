import { execFileSync } from 'node:child_process';
import { must } from '@runward/testing/process';
import { useSharedApp } from '@runward/testing/use-shared-app';
import test from 'ava';
import sharp from 'sharp';
import { distinctNames, readFileName } from '../../src/files/file-name.ts';
import { atPort, download, openForm, picture, sha256, thumbnailOf } from '../support/files.ts';

const app = useSharedApp(test);

test('a download serves ranges and conditional requests, as an attachment that runs nothing', async (t) => {
  const form = await openForm(app);
  const page = '<html><script>alert(1)</script></html>';
  const { id } = await must(form.upload('papers', page, 'Ünïcode "quoted" 報告.html'));
  const whole = await download(app, form.api, id);
  t.is(await whole.text(), page);
  t.is(whole.headers.get('content-type'), 'application/octet-stream');
  t.is(whole.headers.get('x-content-type-options'), 'nosniff');
  t.regex(whole.headers.get('content-security-policy') ?? '', /^default-src 'none';.*;sandbox$/);
  t.is(whole.headers.get('accept-ranges'), 'bytes');
  const disposition = whole.headers.get('content-disposition') ?? '';
  t.regex(
    disposition,
    /^attachment; filename="[^"]+"; filename\*=UTF-8''%C3%9Cn%C3%AFcode%20_quoted_%20%E5%A0%B1%E5%91%8A\.html$/,
  );
  const etag = whole.headers.get('etag') ?? '';

  const get = async (headers: Record<string, string>) => {
    const response = await download(app, form.api, id, headers);
    return [response.status, await response.text(), response.headers.get('content-range')] as const;
  };
  const size = page.length;
  t.deepEqual(await get({ range: 'bytes=0-4' }), [206, page.slice(0, 5), `bytes 0-4/${size}`]);
  t.deepEqual(await get({ range: `bytes=-${size + 1}` }), [206, page, `bytes 0-${size - 1}/${size}`]);
  t.deepEqual(await get({ range: 'bytes=-3' }), [206, page.slice(-3), `bytes ${size - 3}-${size - 1}/${size}`]);
  t.deepEqual(await get({ range: 'bytes=6-' }), [206, page.slice(6), `bytes 6-${size - 1}/${size}`]);
  t.deepEqual(await get({ range: 'bytes=0-4', 'if-range': etag }), [206, page.slice(0, 5), `bytes 0-4/${size}`]);
  t.deepEqual(await get({ range: 'bytes=0-4', 'if-range': '"other"' }), [200, page, null]);
  t.deepEqual(await get({ range: 'bytes=0-1,4-5' }), [200, page, null]);
  t.deepEqual(await get({ range: 'lines=0-1' }), [200, page, null]);
  t.deepEqual(await get({ 'if-none-match': etag }), [304, '', null]);
  const beyond = await download(app, form.api, id, { range: 'bytes=999-' });
  t.deepEqual([beyond.status, beyond.headers.get('content-range')], [416, `bytes */${size}`]);
  await beyond.body?.cancel();
});

test('HEAD has the headers of a download without its content, which its URL came with', async (t) => {
  const form = await openForm(app);
  const { id } = await must(form.upload('papers', 'Hello'));
  const { url, ...announced } = await must(form.api.call('files', 'downloadUrl', { params: { id } }));
  t.like(announced, { contentType: 'application/octet-stream', size: 5, sha256: sha256('Hello') });
  const response = await fetch(atPort(app, url), { method: 'HEAD' });
  t.deepEqual([response.status, response.headers.get('content-length')], [200, '5']);
});

test('an image gets a thumbnail, and what cannot be decoded a reason', async (t) => {
  const form = await openForm(app);
  const png = await picture('png', 800, 400);
  const image = await must(form.upload('photo', png, 'photo.png'));
  const [broken, text] = [
    await must(form.upload('papers', png.subarray(0, 100), 'broken.png')),
    await must(form.upload('papers', 'x')),
  ];
  const { width, height, url } = await must(thumbnailOf(form.api, image.id));
  t.deepEqual([width, height], [320, 160]);
  const response = await fetch(atPort(app, url));
  t.is(response.headers.get('content-type'), 'image/webp');
  t.like(await sharp(await response.arrayBuffer()).metadata(), { format: 'webp', width, height });
  for (const [id, reason] of [
    [broken.id, /cannot be decoded as an image/],
    [text.id, /neither an image nor a video/],
  ] as const) {
    const { status, error } = await thumbnailOf(form.api, id);
    t.is(status, 404);
    t.regex(String(error.message), reason);
  }
});

test('a ZIP contains each file once, in order, under names that differ', async (t) => {
  const form = await openForm(app);
  const ids: string[] = [];
  for (const [content, name] of [
    ['one', 'a.txt'],
    ['two', 'A.txt'],
    ['three', '報告.txt'],
  ] as const) {
    ids.push((await must(form.upload('papers', content, name))).id);
  }
  const fileIds = [ids[2] ?? '', ...ids, ids[0] ?? ''];
  const response = await fetch(new URL('/files/bulk-download-zip', app.baseUrl), {
    method: 'POST',
    headers: { authorization: `Bearer ${form.org.apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ fileIds }),
  });
  t.is(response.headers.get('content-type'), 'application/zip');
  const list = `import io, sys, zipfile, json; z = zipfile.ZipFile(io.BytesIO(sys.stdin.buffer.read())); print(json.dumps([[n, z.read(n).decode()] for n in z.namelist()]))`;
  const listed = execFileSync('python3', ['-c', list], { input: new Uint8Array(await response.arrayBuffer()) });
  t.deepEqual(JSON.parse(listed.toString()), [
    ['報告.txt', 'three'],
    ['a.txt', 'one'],
    ['A (2).txt', 'two'],
  ]);
  const tooMany = { fileIds: Array.from({ length: 501 }, () => ids[0] ?? '') };
  t.is((await form.api.call('files', 'bulkDownloadZip', { body: tooMany })).status, 400);
});

test('a list needs a filter, and shows the files of the run, the entry or the field', async (t) => {
  const form = await openForm(app);
  const [one, two] = [
    await must(form.upload('papers', '1')),
    await must(form.upload('photo', await picture(), 'b.png')),
  ];
  const list = async (query: Record<string, string | number>) => {
    const { data, total } = await must(form.api.call('files', 'list', { query }));
    return [total, ...data.map(({ id }) => id)];
  };
  t.is((await form.api.call('files', 'list', { query: {} })).status, 400);
  t.deepEqual(await list({ runId: form.runId }), [2, two.id, one.id]);
  t.deepEqual(await list({ executionEntryId: form.entryId, runTaskFieldId: form.field('photo') }), [1, two.id]);
  t.deepEqual(await list({ runTaskFieldId: form.field('papers') }), [1, one.id]);
  const first = await must(form.api.call('files', 'list', { query: { runId: form.runId, limit: 1 } }));
  t.deepEqual(await list({ runId: form.runId, limit: 1, cursor: first.nextCursor ?? '' }), [2, one.id]);

  const other = await openForm(app, { org: form.org });
  const restricted = await form.org.key({
    scopes: ['files:read'],
    resourceMode: 'SELECTED_TEMPLATES',
    scopedTemplateIds: [other.templateId],
  });
  const status = async (query: Record<string, string>) => (await restricted.call('files', 'list', { query })).status;
  t.is(await status({ runId: form.runId }), 403);
  t.is(await status({ executionEntryId: form.entryId }), 403);
  const { body } = await restricted.call('files', 'list', { query: { runTaskFieldId: form.field('papers') } });
  t.is(body.total, 0);
});

test('file names are reduced to a safe base name', (t) => {
  for (const [stated, expected] of [
    ['../../etc/passwd', 'passwd'],
    ['C:\\Users\\a\\b.txt', 'b.txt'],
    ['a/b/', 'b'],
    ['..', 'file'],
    [' . ', 'file'],
    ['e\u0301.txt', '\u00e9.txt'],
    ['a<b>:"|?*.txt', 'a_b______.txt'],
    ['.env', '.env'],
  ] as const) {
    t.is(readFileName(stated, 'file'), expected);
  }
  const long = readFileName(`${'報'.repeat(300)}.pdf`, 'file');
  t.true(Buffer.byteLength(long) <= 255 && long.endsWith('報.pdf') && long.isWellFormed());
  for (const bad of ['a\0b', 'a\u202eb', 'a\u2066b', 'a\nb', 'a\u0085b']) {
    t.throws(() => readFileName(bad, 'file'), { message: /file name must not contain/ });
  }
});

test('repeated names get the first number that is free', (t) => {
  t.deepEqual(distinctNames(['a.txt', 'a.txt', 'A.TXT', 'a (2).txt', 'b', 'b', 'a.txt']), [
    'a.txt',
    'a (2).txt',
    'A (3).TXT',
    'a (2) (2).txt',
    'b',
    'b (2)',
    'a (4).txt',
  ]);
});
