import { scopes } from '@runward/contract';
import { addMember } from '@runward/testing/members';
import { newOrganization } from '@runward/testing/organization';
import { must, publishProcess } from '@runward/testing/process';
import { useSharedApp } from '@runward/testing/use-shared-app';
import test from 'ava';
import { isRejected } from '../support/expect-rejection.ts';
import { createPage, createPortal, publish, setBlocks } from '../support/portals.ts';
import { newSlug } from '../support/world/portals.ts';

const app = useSharedApp(test);

test('a portal is created as a draft, changed, listed newest first, and deleted with its pages', async (t) => {
  const org = await newOrganization(app);
  const { api, ownerUserId } = org;
  const slug = newSlug();
  const created = await must(api.call('portals', 'create', { body: { name: ' Suppliers ', slug } }));
  const { id, createdAt } = created;
  t.deepEqual(created, {
    id,
    name: 'Suppliers',
    slug,
    description: null,
    audience: 'RESTRICTED',
    status: 'DRAFT',
    pageCount: 0,
    hasUnpublishedChanges: false,
    createdByUserId: ownerUserId,
    updatedByUserId: ownerUserId,
    publishedByUserId: null,
    createdAt,
    updatedAt: createdAt,
    publishedAt: null,
    version: '1',
  });
  const params = { portalId: id };
  const editor = await addMember(app.baseUrl, await org.session());
  const body = { description: 'For suppliers', audience: 'PUBLIC' as const };
  const changed = await must(editor.session.call('portals', 'update', { params, body }));
  t.like(changed, { ...body, name: 'Suppliers', slug, updatedByUserId: editor.id, version: '2' });
  t.deepEqual(await must(api.call('portals', 'update', { params, body })), changed, 'nothing differs');

  const page = await createPage(api, id);
  const second = await createPortal(api);
  const list = (query = {}) => must(api.call('portals', 'list', { query }));
  const first = await list({ limit: 1 });
  t.deepEqual([first.total, first.data], [2, [second]]);
  const rest = await list({ cursor: first.nextCursor ?? '' });
  t.like(rest.data[0], { id, pageCount: 1, hasUnpublishedChanges: true });
  t.deepEqual(rest.data[0], await must(api.call('portals', 'get', { params })));

  t.is((await api.call('portals', 'delete', { params })).status, 204);
  await isRejected(t, api.call('portals', 'get', { params }), 404, 'Portal not found.');
  const ofPage = { portalId: id, pageId: page.id };
  await isRejected(t, api.call('portals.pages', 'get', { params: ofPage }), 404, 'Portal not found.');
  t.is((await createPortal(api, { slug })).slug, slug, 'the slug is free again');
});

test('a slug is unique over all organizations, and neither reserved nor malformed', async (t) => {
  const [org, other] = [await newOrganization(app), await newOrganization(app)];
  const { slug } = await createPortal(org.api);
  const create = (body: object) => other.api.raw('POST', '/portals', { body: { name: 'Portal', ...body } });
  const taken = ['slug: already in use; choose another one'];
  await isRejected(t, create({ slug }), 400, taken);
  const { id: portalId } = await createPortal(other.api);
  const update = other.api.call('portals', 'update', { params: { portalId }, body: { slug } });
  await isRejected(t, update, 400, taken);
  const attempts = await Promise.all(Array.from({ length: 4 }, () => create({ slug: `${slug}-2` })));
  t.deepEqual(
    attempts.map(({ status }) => status).sort((a, b) => a - b),
    [201, 400, 400, 400],
  );

  for (const reserved of ['admin', 'api', 'assets', 'console', 'docs', 'sign-in']) {
    const names = 'admin, api, assets, console, docs, me, p, sign-in';
    await isRejected(t, create({ slug: reserved }), 400, [`slug: must not be one of the reserved names: ${names}`]);
  }
  for (const malformed of [
    'me',
    'p',
    'UPPER',
    '-abc',
    'abc-',
    'a--b',
    'a_b',
    'über',
    'a b c',
    'abc\n',
    'a'.repeat(64),
  ]) {
    const { status, error } = await create({ slug: malformed });
    t.is(status, 400, malformed);
    for (const message of [error.message].flat()) t.regex(message, /^slug: must /, malformed);
  }
  const missing = ['slug: is required'];
  await isRejected(t, create({}), 400, missing);
});

test('publishing publishes all pending pages, and unpublishing hides the portal until the next time', async (t) => {
  const { api, ownerUserId } = await newOrganization(app);
  const portal = await createPortal(api, { audience: 'PUBLIC' });
  const params = { portalId: portal.id };
  const text = (markdown: string) => [{ type: 'TEXT' as const, markdown }];
  const one = await createPage(api, portal.id, 'one', text('One'));
  await createPage(api, portal.id, 'two', text('Two'));
  const view = () => api.call('portals', 'view', { params: { slug: portal.slug } });
  const texts = async () => (await must(view())).pages.map(({ blocks }) => blocks);
  await isRejected(t, view(), 404, 'Portal not found.');

  const published = await publish(api, portal.id);
  t.like(published, { status: 'PUBLISHED', hasUnpublishedChanges: false, publishedByUserId: ownerUserId });
  t.truthy(published.publishedAt);
  t.deepEqual(await texts(), [text('One'), text('Two')]);
  t.deepEqual(await publish(api, portal.id), published, 'nothing is pending');

  await must(setBlocks(api, one, text('Changed')));
  t.true((await must(api.call('portals', 'get', { params }))).hasUnpublishedChanges);
  t.deepEqual(await texts(), [text('One'), text('Two')]);
  const again = await publish(api, portal.id);
  t.true((again.publishedAt ?? '') > (published.publishedAt ?? ''));
  t.deepEqual(await texts(), [text('Changed'), text('Two')]);

  const hidden = await must(api.call('portals', 'unpublish', { params }));
  t.like(hidden, { status: 'DRAFT', publishedAt: null, publishedByUserId: null });
  t.deepEqual(await must(api.call('portals', 'unpublish', { params })), hidden, 'it is a draft already');
  await isRejected(t, view(), 404, 'Portal not found.');
  await publish(api, portal.id);
  t.deepEqual(await texts(), [text('Changed'), text('Two')]);
});

test('If-Match of a portal covers its pages, so that nothing is published unread', async (t) => {
  const { api } = await newOrganization(app);
  const { id } = await createPortal(api);
  const page = await createPage(api, id);
  const before = await must(api.call('portals', 'get', { params: { portalId: id } }));
  const send = (version: string) =>
    api.raw('POST', `/portals/${id}/publish`, { headers: { 'if-match': `"${version}"` } });
  const edited = await must(setBlocks(api, page, [{ type: 'DIVIDER' }]));
  t.is((await send(before.version)).status, 412);
  t.is((await must(api.call('portals', 'get', { params: { portalId: id } }))).status, 'DRAFT');
  const current = await must(api.call('portals', 'get', { params: { portalId: id } }));
  t.is((await send(current.version)).status, 200);
  const params = { portalId: id, pageId: page.id };
  const published = await must(api.call('portals.pages', 'get', { params }));
  t.deepEqual(published.published, { title: 'page', blocks: edited.blocks });
});

test('a restricted key works with portals that name only its templates, and cannot see others', async (t) => {
  const org = await newOrganization(app);
  const { api } = org;
  const [inside, outside] = [await publishProcess(api), await publishProcess(api)];
  const key = await org.key({
    scopes,
    resourceMode: 'SELECTED_TEMPLATES',
    scopedTemplateIds: [inside.templateId],
  });
  const runsOf = (templateId: string) => [{ type: 'RUN_LIST' as const, filters: { templateIds: [templateId] } }];
  const own = await createPortal(key);
  const page = await createPage(key, own.id, 'own', runsOf(inside.templateId));
  const message = "The API key's resource mode SELECTED_TEMPLATES does not grant access to";
  const denied = await setBlocks(key, page, runsOf(outside.templateId));
  t.is(denied.status, 403);
  t.true(String(denied.error.message).startsWith(message));
  t.deepEqual(await must(key.call('portals.pages', 'get', { params: { portalId: own.id, pageId: page.id } })), page);

  // What is published counts too, after the draft has changed.
  const other = await createPortal(api);
  const foreign = await createPage(api, other.id, 'foreign', runsOf(outside.templateId));
  await publish(api, other.id);
  await must(setBlocks(api, foreign, []));
  t.deepEqual(
    (await must(key.call('portals', 'list'))).data.map(({ id }) => id),
    [own.id],
  );
  const params = { portalId: other.id, pageId: foreign.id };
  for (const attempt of [
    key.call('portals', 'get', { params }),
    key.call('portals', 'publish', { params }),
    key.call('portals', 'delete', { params }),
    key.call('portals.pages', 'get', { params }),
    key.call('portals.accessRules', 'list', { params }),
    setBlocks(key, foreign, []),
  ]) {
    const expected = `${message} every template and folder that this portal names; use a key that does.`;
    await isRejected(t, attempt, 403, expected);
  }
  await publish(api, other.id);
  t.is((await key.call('portals', 'get', { params })).status, 200);
});

test('an organization can have 200 portals', async (t) => {
  const { api } = await newOrganization(app);
  const create = () => api.call('portals', 'create', { body: { name: 'Portal', slug: newSlug() } });
  for (let count = 0; count < 190; count += 10) await Promise.all(Array.from({ length: 10 }, create));
  const last = await Promise.all(Array.from({ length: 12 }, create));
  t.is(last.filter(({ status }) => status === 201).length, 10);
  await isRejected(t, create(), 400, 'An organization can have at most 200 portals; delete one first.');
  t.is((await must(api.call('portals', 'list'))).total, 200);
});
