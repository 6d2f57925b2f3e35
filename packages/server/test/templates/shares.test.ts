import { randomUUID } from 'node:crypto';
import type { Api } from '@runward/testing/api';
import { newOrganization } from '@runward/testing/organization';
import { must, publishProcess } from '@runward/testing/process';
import { useSharedApp } from '@runward/testing/use-shared-app';
import test from 'ava';
import { isRejected } from '../support/expect-rejection.ts';
import { newTemplate } from '../support/templates.ts';

const app = useSharedApp(test);

const list = (api: Api, id: string, query = {}) =>
  api.call('templates.shares', 'list', { params: { templateId: id }, query });
const create = (api: Api, id: string, body?: { name?: string | null; expiresAt?: string | null }) =>
  api.call('templates.shares', 'create', { params: { templateId: id }, ...(body && { body }) });

test('a share is created with a token that is shown once, and listed, newest first', async (t) => {
  const org = await newOrganization(app);
  const { templateId } = await publishProcess(org.api);
  const expiresAt = '2099-01-01T00:00:00.000Z';
  const first = await create(org.api, templateId, { name: ' Partners ', expiresAt });
  t.is(first.status, 201);
  const { token, ...share } = first.body;
  t.regex(token, /^share_[0-9A-Za-z]{43}$/);
  const { id, createdAt } = share;
  t.deepEqual(share, {
    id,
    templateId,
    name: 'Partners',
    tokenPrefix: `share_…${token.slice(-4)}`,
    status: 'ACTIVE',
    expiresAt,
    importCount: 0,
    createdByUserId: org.ownerUserId,
    createdAt,
  });
  const { token: secondToken, ...second } = await must(create(org.api, templateId));
  t.not(secondToken, token);
  t.like(second, { name: null, expiresAt: null });

  const page = await must(list(org.api, templateId, { limit: 1 }));
  t.deepEqual([page.total, page.data], [2, [second]]);
  const rest = await must(list(org.api, templateId, { cursor: page.nextCursor ?? '' }));
  t.deepEqual([rest.hasMore, rest.data], [false, [share]]);
});

test('only a published template that is not archived can be shared, with an end in the future', async (t) => {
  const { api } = await newOrganization(app);
  const draft = await newTemplate(api);
  await isRejected(t, create(api, draft), 400, 'The template has no published version to share; publish it first.');
  const { templateId } = await publishProcess(api);
  const past = await create(api, templateId, { expiresAt: '2020-01-01T00:00:00Z' });
  await isRejected(t, past, 400, ['expiresAt: must be in the future']);
  await must(api.call('templates', 'archive', { params: { id: templateId } }));
  await isRejected(t, create(api, templateId), 400, 'The template is archived; unarchive it first.');
  t.is((await must(list(api, templateId))).total, 0);
});

test('a repeated request with the same idempotency key returns the same token', async (t) => {
  const { api } = await newOrganization(app);
  const { templateId } = await publishProcess(api);
  const send = () =>
    api.raw('POST', `/templates/${templateId}/shares`, { body: {}, headers: { 'idempotency-key': randomUUID() } });
  const headers = { 'idempotency-key': randomUUID() };
  const again = () => api.raw('POST', `/templates/${templateId}/shares`, { body: {}, headers });
  t.deepEqual((await again()).body, (await again()).body);
  t.is((await send()).status, 201);
  t.is((await must(list(api, templateId))).total, 2);
});

test('archiving a template revokes its shares for good, and deleting it, too', async (t) => {
  const { api } = await newOrganization(app);
  const { templateId: id } = await publishProcess(api);
  const { token, id: shareId } = await must(create(api, id));
  const preview = () => api.call('sharedTemplates', 'preview', { params: { token } });
  t.is((await preview()).status, 200);
  await must(api.call('templates', 'archive', { params: { id } }));
  await isRejected(t, preview(), 404, 'Shared template not found.');
  await must(api.call('templates', 'unarchive', { params: { id } }));
  await isRejected(t, preview(), 404, 'Shared template not found.');
  t.deepEqual(
    (await must(list(api, id))).data.map(({ status }) => status),
    ['REVOKED'],
  );

  const next = await must(create(api, id));
  await must(api.call('templates', 'delete', { params: { id } }));
  await isRejected(
    t,
    api.call('sharedTemplates', 'preview', { params: { token: next.token } }),
    404,
    'Shared template not found.',
  );
  for (const each of [shareId, next.id]) {
    await isRejected(t, api.call('sharedTemplates', 'refresh', { params: { shareId: each } }), 404, 'Share not found.');
  }
});
