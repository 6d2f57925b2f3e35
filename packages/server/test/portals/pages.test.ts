import { newOrganization } from '@runward/testing/organization';
import { must, publishProcess } from '@runward/testing/process';
import { useSharedApp } from '@runward/testing/use-shared-app';
import test from 'ava';
import { isRejected } from '../support/expect-rejection.ts';
import { createPage, createPortal, publish, setBlocks, type Blocks } from '../support/portals.ts';
import { newAssetId } from '../support/world/files.ts';

const app = useSharedApp(test);

test('a page has a draft and what is published of it: title and blocks', async (t) => {
  const { api, ownerUserId } = await newOrganization(app);
  const { id: portalId } = await createPortal(api);
  const created = await must(
    api.call('portals.pages', 'create', { params: { portalId }, body: { title: 'Start', slug: 'start' } }),
  );
  const { id, createdAt } = created;
  t.deepEqual(created, {
    id,
    portalId,
    title: 'Start',
    slug: 'start',
    position: 0,
    hasUnpublishedChanges: true,
    createdByUserId: ownerUserId,
    updatedByUserId: ownerUserId,
    publishedByUserId: null,
    createdAt,
    updatedAt: createdAt,
    publishedAt: null,
    version: '1',
    blocks: [],
    published: null,
  });
  const params = { portalId, pageId: id };
  const publishChanges = () => api.call('portals.pages', 'publishChanges', { params });
  const draft = 'The portal is a draft; publish it, which publishes all of its pages.';
  await isRejected(t, publishChanges(), 400, draft);
  await publish(api, portalId);
  const read = () => must(api.call('portals.pages', 'get', { params }));
  const published = await read();
  t.like(published, { hasUnpublishedChanges: false, publishedByUserId: ownerUserId, version: '2' });
  t.deepEqual(published.published, { title: 'Start', blocks: [] });
  await isRejected(t, publishChanges(), 400, 'The page has no changes to publish; edit its draft first.');

  const blocks: Blocks = [
    { type: 'HEADING', text: 'Welcome', level: 1 },
    { type: 'TEXT', markdown: 'A *text*\nwith <b>lines</b>' },
    { type: 'LINK', label: 'Write to us', url: 'mailto:info@example.com' },
    { type: 'DIVIDER' },
    { type: 'RUN_LIST', filters: {} },
  ];
  const edited = await must(setBlocks(api, created, blocks));
  t.deepEqual([edited.blocks, edited.published], [blocks, published.published]);
  t.true(edited.hasUnpublishedChanges);
  t.deepEqual(await must(setBlocks(api, created, blocks)), edited, 'nothing differs');
  t.false((await must(setBlocks(api, created, []))).hasUnpublishedChanges);
  const renamed = await must(api.call('portals.pages', 'update', { params, body: { title: 'Home' } }));
  t.true(renamed.hasUnpublishedChanges);
  const result = await must(publishChanges());
  t.deepEqual(result.published, { title: 'Home', blocks: [] });
  t.false(result.hasUnpublishedChanges);
  t.deepEqual(await read(), result);
});

test('pages keep their order when they are created, moved and deleted', async (t) => {
  const { api } = await newOrganization(app);
  const { id: portalId } = await createPortal(api);
  const create = (slug: string, position?: number) => {
    const body = { title: slug, slug, ...(position !== undefined && { position }) };
    return must(api.call('portals.pages', 'create', { params: { portalId }, body }));
  };
  const list = async () => (await must(api.call('portals.pages', 'list', { params: { portalId } }))).data;
  const order = async () => {
    const pages = await list();
    t.deepEqual(
      pages.map(({ position }) => position),
      [...pages.keys()],
    );
    return pages.map(({ slug }) => slug).join('');
  };
  const a = await create('a');
  const b = await create('b');
  t.is((await create('c', 0)).position, 0);
  t.is((await create('d', 99)).position, 3);
  t.is(await order(), 'cabd');
  const move = (pageId: string, position: number) =>
    must(api.call('portals.pages', 'update', { params: { portalId, pageId }, body: { position } }));
  t.is((await move(a.id, 0)).position, 0);
  t.is(await order(), 'acbd');
  t.is((await move(a.id, 2)).position, 2);
  t.is(await order(), 'cbad');
  await move(b.id, 99);
  t.is(await order(), 'cadb');
  t.is((await api.call('portals.pages', 'delete', { params: { portalId, pageId: a.id } })).status, 204);
  t.is(await order(), 'cdb');
  // A page with another position is another representation.
  const before = await list();
  await move(b.id, 0);
  t.true((await list()).every(({ id, version }) => before.find((each) => each.id === id)?.version !== version));

  const taken = ['slug: already in use; choose another one'];
  const again = api.call('portals.pages', 'create', { params: { portalId }, body: { title: 'B', slug: 'b' } });
  await isRejected(t, again, 400, taken);
  const rename = api.call('portals.pages', 'update', { params: { portalId, pageId: b.id }, body: { slug: 'c' } });
  await isRejected(t, rename, 400, taken);
  t.is(await order(), 'bcd');
  const other = await createPortal(api);
  t.is((await createPage(api, other.id, 'b')).slug, 'b');
});

test('of simultaneous changes with the same If-Match one is saved, and without it all are', async (t) => {
  const { api } = await newOrganization(app);
  const { id: portalId } = await createPortal(api);
  const page = await createPage(api, portalId);
  const texts = ['A', 'B', 'C'];
  const put = (markdown: string, headers: Record<string, string> = {}) =>
    api.raw('PUT', `/portals/${portalId}/pages/${page.id}/blocks`, {
      body: { blocks: [{ type: 'TEXT', markdown }] },
      headers,
    });
  const guarded = await Promise.all(texts.map((text) => put(text, { 'if-match': `"${page.version}"` })));
  t.deepEqual(
    guarded.map(({ status }) => status).sort((a, b) => a - b),
    [200, 412, 412],
  );
  const free = await Promise.all(['D', 'E', 'F'].map((text) => put(text)));
  t.deepEqual(
    free.map(({ status }) => status),
    [200, 200, 200],
  );
  const read = () => must(api.call('portals.pages', 'get', { params: { portalId, pageId: page.id } }));
  const last = await read();
  t.is(last.version, '5');

  // Publishing while someone edits publishes one of both drafts, as a whole.
  await publish(api, portalId);
  const [edited] = await Promise.all([put('G'), api.raw('POST', `/portals/${portalId}/publish`)]);
  t.is(edited.status, 200);
  const after = await read();
  t.deepEqual(after.blocks, [{ type: 'TEXT', markdown: 'G' }]);
  t.is(after.hasUnpublishedChanges, JSON.stringify(after.published?.blocks) !== JSON.stringify(after.blocks));
});

test('blocks are rejected with the path of every problem, and nothing is changed', async (t) => {
  const { api } = await newOrganization(app);
  const { id: portalId } = await createPortal(api);
  const page = await createPage(api, portalId);
  const put = (blocks: unknown) => api.raw('PUT', `/portals/${portalId}/pages/${page.id}/blocks`, { body: { blocks } });
  const text = (markdown: string) => ({ type: 'TEXT', markdown });
  const tooManyMarks = (index: number) =>
    `blocks[${index}].markdown: the texts of a page can have at most 30000 marks, such as lines, brackets and cells of tables; use fewer, or move text to another page`;
  const types = 'HEADING, TEXT, IMAGE, LINK, DIVIDER, RUN_LIST, REPORT';
  const cases: [blocks: unknown, messages: string[]][] = [
    [[{ type: 'VIDEO' }], [`blocks[0].type: must be one of ${types}`]],
    [[{}], ['blocks[0].type: is required']],
    [[{ type: 'DIVIDER', color: 'red' }], ['blocks[0].color: unknown parameter; remove it']],
    [[{ type: 'HEADING', text: 'A', level: 4 }], ['blocks[0].level: must be 1, 2 or 3']],
    [[{ type: 'TEXT', markdown: '' }], ['blocks[0].markdown: must not be empty']],
    [[{ type: 'TEXT', markdown: 'a'.repeat(20_001) }], ['blocks[0].markdown: must be at most 20000 characters']],
    [[{ type: 'DIVIDER' }, text('['.repeat(3_001))], [tooManyMarks(1)]],
    [[text(`${'|a'.repeat(50)}\n${'|-'.repeat(50)}\n${'a\r'.repeat(1_000)}`)], [tooManyMarks(0)]],
    [[text('- a\n'.repeat(4_000)), { type: 'DIVIDER' }, text('- a\n'.repeat(4_000))], [tooManyMarks(2)]],
    [
      [{ type: 'DIVIDER' }, { type: 'RUN_LIST', filters: {}, limit: 51 }],
      ['blocks[1].limit: must be a whole number from 1 to 50'],
    ],
    [Array.from({ length: 101 }, () => ({ type: 'DIVIDER' })), ['blocks: must contain at most 100 blocks']],
    [
      Array.from({ length: 21 }, () => ({ type: 'RUN_LIST', filters: {} })),
      ['blocks: must contain at most 20 blocks of the type RUN_LIST or REPORT'],
    ],
    [
      [
        { type: 'IMAGE', assetId: portalId, alt: '' },
        { type: 'RUN_LIST', filters: { templateIds: [portalId], createdFrom: '2026-02-01', createdTo: '2026-01-01' } },
      ],
      [
        'blocks[0].assetId: not an image of a template of this organization; see POST /files/template-asset',
        'blocks[1].filters.templateIds[0]: not a template of this organization; see GET /templates',
        'blocks[1].filters.createdTo: must not be before createdFrom',
      ],
    ],
  ];
  for (const [blocks, messages] of cases) await isRejected(t, put(blocks), 400, messages);
  const huge = await put(Array.from({ length: 20 }, () => ({ type: 'TEXT', markdown: 'a'.repeat(15_000) })));
  t.is(huge.status, 413);
  t.deepEqual(await must(api.call('portals.pages', 'get', { params: { portalId, pageId: page.id } })), page);
});

test('a link leads to a web page or an email address and nowhere else', async (t) => {
  const { api } = await newOrganization(app);
  const { id: portalId } = await createPortal(api);
  const page = await createPage(api, portalId);
  const put = (url: string) => setBlocks(api, page, [{ type: 'LINK', label: 'Link', url }]);
  const unsafe = [
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    ' javascript:alert(1)',
    'java\nscript:alert(1)',
    'java\tscript:alert(1)',
    '\u0001javascript:alert(1)',
    'javascript\u00a0:alert(1)',
    'data:text/html,<script>alert(1)</script>',
    'vbscript:msgbox(1)',
    'file:///etc/passwd',
    'blob:https://example.com/1',
    '//example.com',
    '/relative',
    'example.com',
    '',
    'https:example.com',
    'https:/example.com',
    'https:\\\\example.com',
    'https://example.com\\@example.org',
    'https://exam\tple.com',
    'https://exam\nple.com',
    ' https://example.com',
    'https://example.com ',
    'https://example.com/a b',
    'https://exam\u200bple.com',
    'https://example.com/\u202egpj.exe',
    'https://user:password@example.com',
    'https://example.com@example.org',
    'https://',
    'https://[::1',
    'mailto:',
    'mailto:nobody',
    'mailto:a@example.com?bcc=b@example.com',
    'mailto:a@example.com\r\nBcc:b@example.com',
    `https://example.com/${'a'.repeat(2048)}`,
  ];
  for (const url of unsafe) {
    const { status, error } = await put(url);
    t.is(status, 400, url);
    for (const message of [error.message].flat()) t.regex(message, /^blocks\[0\]\.url: must /, url);
  }
  for (const url of [
    'https://example.com',
    'http://example.com:8080/a?b=%20c#d',
    'HTTPS://bücher.example/ü',
    'mailto:a@example.com',
  ]) {
    t.is((await put(url)).status, 200, url);
  }
});

test('an image of a deleted template cannot be chosen', async (t) => {
  const org = await newOrganization(app);
  const { api } = org;
  const { templateId } = await publishProcess(api);
  const assetId = await newAssetId({ api }, templateId);
  const { id: portalId } = await createPortal(api);
  const image: Blocks = [{ type: 'IMAGE', assetId, alt: '' }];
  const page = await createPage(api, portalId, 'page', image);
  t.deepEqual(page.blocks, image);
  t.is((await api.call('templates', 'delete', { params: { id: templateId } })).status, 204);
  const message = 'blocks[0].assetId: not an image of a template of this organization; see POST /files/template-asset';
  await isRejected(t, setBlocks(api, page, [...image]), 400, [message]);
});

test('a portal can have 20 pages', async (t) => {
  const { api } = await newOrganization(app);
  const { id: portalId } = await createPortal(api);
  const create = (_: unknown, index: number) =>
    api.call('portals.pages', 'create', { params: { portalId }, body: { title: 'Page', slug: `page-${index}` } });
  const created = await Promise.all(Array.from({ length: 22 }, create));
  t.is(created.filter(({ status }) => status === 201).length, 20);
  await isRejected(t, create(null, 99), 400, 'A portal can have at most 20 pages; delete one first.');
  t.is((await must(api.call('portals', 'get', { params: { portalId } }))).pageCount, 20);
});
