import { scopes } from '@runward/contract';
import { apiOf } from '@runward/testing/api';
import { newOrganization } from '@runward/testing/organization';
import { launchRun, must, publishProcess } from '@runward/testing/process';
import { useSharedApp } from '@runward/testing/use-shared-app';
import test from 'ava';
import { isRejected } from '../support/expect-rejection.ts';
import { createPage, publish, publishedPortal, shownBlocks, view } from '../support/portals.ts';
import { newAssetId } from '../support/world/files.ts';

const app = useSharedApp(test);

test('strangers read a public portal with the data of its organization, without ids and members', async (t) => {
  const org = await newOrganization(app, { timeZone: 'Asia/Tokyo' });
  const { api } = org;
  const stranger = await newOrganization(app);
  const { templateId } = await publishProcess(api, [{ title: 'Task', assigneeId: org.ownerUserId }]);
  await publishProcess(stranger.api);
  for (const title of ['First', 'Second', 'Third'])
    await launchRun(api, templateId, { title, scheduledDateLocal: '2030-01-02' });
  const assetId = await newAssetId({ api }, templateId);
  const { portal } = await publishedPortal(api, [
    { type: 'HEADING', text: 'Orders', level: 1 },
    {
      type: 'RUN_LIST',
      title: 'Newest',
      filters: { templateIds: [templateId], ownerUserIds: [org.ownerUserId] },
      limit: 2,
    },
    { type: 'RUN_LIST', filters: { search: 'first' } },
    { type: 'IMAGE', assetId, alt: 'A pixel' },
  ]);
  const answer = await view(stranger.api, portal.slug);
  t.like(answer.body, { name: 'Portal', slug: portal.slug, description: null, timeZone: 'Asia/Tokyo' });
  t.is(answer.body.publishedAt, portal.publishedAt ?? '');
  const [heading, newest, found, image] = answer.body.pages[0]?.blocks ?? [];
  t.deepEqual(heading, { type: 'HEADING', text: 'Orders', level: 1 });
  if (newest?.type !== 'RUN_LIST' || found?.type !== 'RUN_LIST' || image?.type !== 'IMAGE') return t.fail();
  const [third, second] = newest.runs;
  const running = { status: 'RUNNING' as const, scheduledDateLocal: '2030-01-02', completedAt: null };
  t.deepEqual(newest, {
    type: 'RUN_LIST',
    title: 'Newest',
    runs: [
      { title: 'Third', ...running, createdAt: third?.createdAt ?? '' },
      { title: 'Second', ...running, createdAt: second?.createdAt ?? '' },
    ],
    hasMore: true,
    notices: [],
  });
  t.deepEqual([found.title, found.hasMore, found.runs.map(({ title }) => title)], [null, false, ['First']]);
  t.like(image, { alt: 'A pixel', width: 1, height: 1, notices: [] });
  const text = JSON.stringify({ ...answer.body, pages: answer.body.pages.map(({ blocks }) => blocks?.slice(0, 3)) });
  t.notRegex(text, /[0-9a-f]{8}-[0-9a-f]{4}-7/, 'no ids');
  const path = new URL(image.url ?? '').pathname;
  t.is((await apiOf(app.baseUrl, null).raw('GET', path)).status, 200);
});

test('strangers cannot tell a restricted portal, a draft and a missing one apart', async (t) => {
  const [org, stranger] = [await newOrganization(app), await newOrganization(app)];
  const { portal } = await publishedPortal(org.api, [], { audience: 'RESTRICTED' });
  const draft = await publishedPortal(org.api, []);
  await must(org.api.call('portals', 'unpublish', { params: { portalId: draft.portal.id } }));
  for (const slug of [portal.slug, draft.portal.slug, 'missing', 'NOT A SLUG', 'a'.repeat(255)]) {
    const { status, error } = await stranger.api.raw('GET', `/portals/by-slug/${encodeURIComponent(slug)}/view`);
    t.deepEqual([status, error.message], [404, 'Portal not found.'], slug);
  }
  t.is((await apiOf(app.baseUrl, null).raw('GET', `/portals/by-slug/${portal.slug}/view`)).status, 401);
});

test('a view has the published pages by position, and on request the blocks of one page only', async (t) => {
  const { api } = await newOrganization(app);
  const { portal } = await publishedPortal(api, [{ type: 'DIVIDER' }]);
  await createPage(api, portal.id, 'second', [{ type: 'TEXT', markdown: 'Second' }]);
  await publish(api, portal.id);
  const draft = await createPage(api, portal.id, 'draft');
  const shape = async (query = {}) =>
    (await must(view(api, portal.slug, query))).pages.map(({ slug, blocks }) => [slug, blocks?.length ?? null]);
  t.deepEqual(await shape(), [
    ['page', 1],
    ['second', 1],
  ]);
  t.deepEqual(await shape({ page: 'second' }), [
    ['page', null],
    ['second', 1],
  ]);
  await isRejected(t, view(api, portal.slug, { page: 'draft' }), 404, 'Page not found.');

  const params = { portalId: portal.id, pageId: draft.id };
  await must(api.call('portals.pages', 'update', { params, body: { position: 0 } }));
  t.deepEqual((await shape()).flat(), ['page', 1, 'second', 1]);
  await must(api.call('portals.pages', 'publishChanges', { params }));
  t.deepEqual((await shape()).flat(), ['draft', 0, 'page', 1, 'second', 1]);
  t.is((await api.call('portals.pages', 'delete', { params })).status, 204);
  t.deepEqual((await shape()).flat(), ['page', 1, 'second', 1]);
});

test('a restricted key sees the data of its templates only; the key of another organization what is public', async (t) => {
  const [org, stranger] = [await newOrganization(app), await newOrganization(app)];
  const { api } = org;
  const [inside, outside] = [await publishProcess(api), await publishProcess(api)];
  await launchRun(api, inside.templateId, { title: 'Inside' });
  await launchRun(api, outside.templateId, { title: 'Outside' });
  const { portal } = await publishedPortal(api, [
    { type: 'RUN_LIST', filters: {} },
    { type: 'RUN_LIST', filters: { templateIds: [outside.templateId] } },
  ]);
  const restricted = { scopes, resourceMode: 'SELECTED_TEMPLATES' as const };
  const own = await org.key({ ...restricted, scopedTemplateIds: [inside.templateId] });
  const theirs = await publishProcess(stranger.api);
  const foreign = await stranger.key({ ...restricted, scopedTemplateIds: [theirs.templateId] });
  const titles = async (caller: typeof api) =>
    (await shownBlocks(caller, portal.slug)).map((block) =>
      block.type === 'RUN_LIST' ? block.runs.map(({ title }) => title) : [],
    );
  t.deepEqual(await titles(own), [['Inside'], []]);
  t.deepEqual(await titles(foreign), [['Outside', 'Inside'], ['Outside']]);
});

test('a view works and says what is missing after templates, folders, images and members are gone', async (t) => {
  const org = await newOrganization(app);
  const { api } = org;
  const { templateId } = await publishProcess(api);
  const finished = await launchRun(api, templateId, { title: 'Finished' });
  const folder = await must(api.call('folders', 'create', { body: { name: 'Folder' } }));
  const member = await org.member('Leaver');
  const assetId = await newAssetId({ api }, templateId);
  const { portal, page } = await publishedPortal(api, [
    { type: 'RUN_LIST', filters: { templateIds: [templateId] } },
    { type: 'RUN_LIST', filters: { folderIds: [folder.id] } },
    { type: 'RUN_LIST', filters: { ownerUserIds: [member.id] } },
    { type: 'IMAGE', assetId, alt: 'Gone' },
  ]);
  const notices = async () =>
    (await shownBlocks(api, portal.slug)).map((block) => ('notices' in block ? block.notices : []));
  await must(api.call('templates', 'archive', { params: { id: templateId } }));
  t.deepEqual(await notices(), [[], [], [], []]);

  await must(api.call('runs', 'cancel', { params: { id: finished.id } }));
  t.is((await api.call('templates', 'delete', { params: { id: templateId } })).status, 204);
  t.is((await api.call('folders', 'delete', { params: { id: folder.id } })).status, 204);
  const owner = await org.session();
  t.is((await owner.call('users', 'delete', { params: { id: member.id } })).status, 204);
  t.deepEqual(await notices(), [['TEMPLATE_DELETED'], ['FOLDER_DELETED'], [], ['IMAGE_DELETED']]);
  const [ofTemplate, ofFolder, , image] = await shownBlocks(api, portal.slug);
  t.deepEqual(ofTemplate?.type === 'RUN_LIST' && ofTemplate.runs.map(({ title }) => title), ['Finished']);
  t.deepEqual(ofFolder?.type === 'RUN_LIST' && ofFolder.runs, []);
  t.like(image, { type: 'IMAGE', alt: 'Gone', url: null, expiresAt: null, width: null, height: null });
  const params = { portalId: portal.id, pageId: page.id };
  t.is((await api.call('portals.pages', 'get', { params })).status, 200);
  t.is((await publish(api, portal.id)).status, 'PUBLISHED');
});
