import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'ava';
import { newFolder } from './support/command.ts';
import { useServer } from './support/service.ts';

const { newWorkplace } = useServer(test);

interface Portal {
  readonly id: string;
  readonly name: string;
  readonly slug: string;
  readonly audience: string;
  readonly status: string;
}

interface Page {
  readonly id: string;
  readonly slug: string;
  readonly blocks: readonly object[];
  readonly published: { readonly blocks: readonly object[] } | null;
}

test('a portal is created, filled from a file, published, hidden and deleted by its slug', async (t) => {
  const { data, runward, org } = await newWorkplace();
  const slug = `portal-${org.organizationId}`;
  const file = join(await newFolder(t), 'blocks.json');
  const portals = (...args: string[]) => data<Portal>(['portals', ...args]);
  const pages = (...args: string[]) => data<Page>(['portals', 'pages', ...args]);
  const created = await portals('create', 'Suppliers', '--slug', slug, '--audience', 'PUBLIC', '--description', 'Text');
  t.like(created, { name: 'Suppliers', slug, audience: 'PUBLIC', description: 'Text', status: 'DRAFT' });
  const page = await pages('create', slug, 'Overview', '--slug', 'overview');

  const blocks = [{ type: 'HEADING', text: 'Hello', level: 1 }];
  await writeFile(file, JSON.stringify(blocks));
  t.like(await pages('set', slug, 'overview', '--blocks', file), { id: page.id, blocks, published: null });
  t.is((await portals('publish', slug)).status, 'PUBLISHED');
  const more = { ...(await pages('get', slug, page.id)), blocks: [...blocks, { type: 'DIVIDER' }] };
  const input = JSON.stringify(more);
  const changed = await data<Page>(['portals', 'pages', 'set', created.id, 'overview', '--blocks', '-'], { input });
  t.deepEqual(changed.published?.blocks, blocks);
  await writeFile(file, input);
  const published = await pages('set', slug, 'overview', '--blocks', file, '--publish');
  t.deepEqual(published.published?.blocks, more.blocks);
  t.deepEqual(await pages('set', slug, 'overview', '--blocks', file, '--publish'), published, 'nothing is pending');

  t.like(await data<Portal[]>(['portals', 'list']), { length: 1, 0: { slug, pageCount: 1 } });
  t.like(await data<Page[]>(['portals', 'pages', 'list', slug]), { length: 1, 0: { slug: 'overview' } });
  t.is((await portals('unpublish', slug)).status, 'DRAFT');
  t.is((await portals('get', slug)).status, 'DRAFT');
  t.regex((await runward(['portals', 'pages', 'delete', slug, 'overview'])).stderr, /Deleted the page "Overview"\./);
  t.regex((await runward(['portals', 'delete', slug])).stderr, /Deleted the portal "Suppliers"\./);
  t.deepEqual(await data<Portal[]>(['portals', 'list']), []);
});

test('mistakes in slugs and in files of blocks are named before anything is changed', async (t) => {
  const { data, runward, org } = await newWorkplace();
  const slug = `portal-${org.organizationId}`;
  await data<Portal>(['portals', 'create', 'Suppliers', '--slug', slug]);
  await data<Page>(['portals', 'pages', 'create', slug, 'Overview', '--slug', 'overview']);
  const set = (input: string, page = 'overview') =>
    runward(['portals', 'pages', 'set', slug, page, '--blocks', '-'], { input });

  const invalid = await set('[{"type": "VIDEO"}, {"type": "LINK", "label": "Go", "url": "javascript:alert(1)"}]');
  t.is(invalid.code, 6);
  t.regex(invalid.stderr, /blocks\[0\]\.type: must be one of HEADING, TEXT, .*RUN_LIST/);
  t.regex(invalid.stderr, /blocks\[1\]\.url: must be an http or https URL or a mailto address/);
  for (const input of ['{', 'null', '{}', '5']) t.is((await set(input)).code, 6, input);
  const unknown = await set('[]', 'overvew');
  t.is(unknown.code, 3);
  t.regex(unknown.stderr, /No page has the slug "overvew"\. Did you mean "overview"\?/);
  const missing = await runward(['portals', 'get', 'nothing-like-it']);
  t.is(missing.code, 3);
  t.regex(missing.stderr, /No portal has the slug "nothing-like-it"\. See: runward portals list/);
  t.is((await runward(['portals', 'create', 'Other', '--slug', slug])).code, 6);
});
