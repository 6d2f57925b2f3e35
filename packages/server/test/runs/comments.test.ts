import { randomUUID } from 'node:crypto';
import type { BodyInput, Contract } from '@runward/contract';
import type { Api } from '@runward/testing/api';
import { addMember } from '@runward/testing/members';
import { newOrganization, type TestOrganization } from '@runward/testing/organization';
import { launchRun, must, publishProcess } from '@runward/testing/process';
import { useSharedApp } from '@runward/testing/use-shared-app';
import test from 'ava';
import { isRejected } from '../support/expect-rejection.ts';

const app = useSharedApp(test);

type Written = BodyInput<Contract['runs.comments']['create']>;

const onRun = (api: Api, id: string, body: Written) => api.call('runs.comments', 'create', { params: { id }, body });
const onTask = (api: Api, taskId: string, body: Written) =>
  api.call('runs.tasks', 'comment', { params: { taskId }, body });
const edit = (api: Api, commentId: string, body: BodyInput<Contract['runs.comments']['update']>) =>
  api.call('runs.comments', 'update', { params: { commentId }, body });
const remove = (api: Api, commentId: string) => api.call('runs.comments', 'delete', { params: { commentId } });
const listOf = (api: Api, id: string, query = {}) => must(api.call('runs.comments', 'list', { params: { id }, query }));

async function newRun({ api }: TestOrganization) {
  const process = await publishProcess(api, [{ title: 'Pack' }, { title: 'Ship', required: false }]);
  return { ...process, run: await launchRun(api, process.templateId) };
}

async function newMember(org: TestOrganization, name = 'Grace') {
  return addMember(app.baseUrl, await org.session(), { name });
}

test('a run lists all comments oldest first, and a task only its own', async (t) => {
  const org = await newOrganization(app);
  const { api } = org;
  const { run } = await newRun(org);
  const grace = await newMember(org);
  const { id: group } = await must(
    (await org.session()).call('groups', 'create', { body: { name: 'Drivers', memberIds: [grace.id] } }),
  );
  const { runTaskId } = run.byTitle('Pack');
  const mentions = { userIds: [grace.id], groupIds: [group] };

  const first = await must(onRun(api, run.id, { text: 'Ask **Grace**.\r\nSoon.', mentions }));
  const { author, createdAt } = first;
  t.is(author.type, 'API_KEY');
  t.is(author.userId, org.ownerUserId);
  t.deepEqual(first, {
    id: first.id,
    runId: run.id,
    runTaskId: null,
    text: 'Ask **Grace**.\nSoon.',
    author,
    mentions,
    createdAt,
    editedAt: null,
  });
  const second = await must(onTask(grace.session, runTaskId, { text: 'I have it.' }));
  t.like(second, { runTaskId, author: { type: 'USER', userId: grace.id, apiKeyId: null } });

  t.deepEqual((await listOf(api, run.id)).data, [first, second]);
  const page = await listOf(api, run.id, { limit: 1 });
  t.like(page, { data: [first], total: 2, hasMore: true });
  t.like(await listOf(api, run.id, { limit: 1, cursor: page.nextCursor }), { data: [second], hasMore: false });
  const newest = await listOf(api, run.id, { limit: 1, sort: '-createdAt' });
  t.like(newest, { data: [second], hasMore: true });
  const rest = await listOf(api, run.id, { limit: 1, sort: '-createdAt', cursor: newest.nextCursor });
  t.like(rest, { data: [first], hasMore: false });
  const ofTask = await must(api.call('runs.tasks', 'comments', { params: { taskId: runTaskId } }));
  t.deepEqual([ofTask.data, ofTask.total], [[second], 1]);
  t.deepEqual(await must(api.call('runs.comments', 'get', { params: { commentId: second.id } })), second);
});

test('an author edits a comment, and what is left out of an edit stays', async (t) => {
  const org = await newOrganization(app);
  const { run } = await newRun(org);
  const grace = await newMember(org);
  const { id } = await must(onRun(grace.session, run.id, { text: 'One', mentions: { userIds: [grace.id] } }));

  const edited = await must(edit(grace.session, id, { text: 'Two' }));
  t.like(edited, { text: 'Two', mentions: { userIds: [grace.id] } });
  t.truthy(edited.editedAt);
  t.deepEqual(await must(edit(grace.session, id, { text: 'Two' })), edited);
  t.deepEqual((await must(edit(grace.session, id, { mentions: {} }))).mentions, { userIds: [], groupIds: [] });
  await isRejected(t, edit(grace.session, id, {}), 400, ['body: must contain text or mentions']);
});

test('a comment is changed by its author only, and deleted also by an owner in a session', async (t) => {
  const org = await newOrganization(app);
  const { run } = await newRun(org);
  const [grace, linus] = [await newMember(org), await newMember(org, 'Linus')];
  const { id } = await must(onRun(grace.session, run.id, { text: 'One' }));

  const notEdit = 'You can only edit your own comments; ask its author to edit it.';
  const notDelete = 'You can only delete your own comments; ask its author, an owner or an admin.';
  const owner = await org.session();
  for (const api of [linus.session, owner, org.api]) await isRejected(t, edit(api, id, { text: 'Two' }), 403, notEdit);
  for (const api of [linus.session, org.api]) await isRejected(t, remove(api, id), 403, notDelete);

  t.is((await remove(owner, id)).status, 204);
  t.like(await listOf(org.api, run.id), { data: [], total: 0 });
  for (const call of [remove(owner, id), edit(grace.session, id, { text: 'Two' })])
    await isRejected(t, call, 404, 'Comment not found.');
  await isRejected(t, org.api.call('runs.comments', 'get', { params: { commentId: id } }), 404, 'Comment not found.');
});

test('deleting a comment empties its row, and the activity keeps every fact', async (t) => {
  const org = await newOrganization(app);
  const { run } = await newRun(org);
  const { id } = await must(onTask(org.api, run.byTitle('Pack').runTaskId, { text: 'One' }));
  await must(edit(org.api, id, { text: 'Two' }));
  await must(remove(org.api, id));

  const { data } = await must(org.api.call('runs', 'activity', { params: { id: run.id }, query: { limit: 3 } }));
  t.deepEqual(
    data.map(({ type, data: { text } }) => [type, text]),
    [
      ['comment.deleted', undefined],
      ['comment.edited', 'Two'],
      ['comment.created', 'One'],
    ],
  );
});

test('ended and archived runs, and completed tasks, can be commented on', async (t) => {
  const org = await newOrganization(app);
  const { api } = org;
  const { run } = await newRun(org);
  const { runTaskId: taskId } = run.byTitle('Pack');
  await must(api.call('runs.tasks', 'setStatus', { params: { taskId }, body: { status: 'COMPLETED' } }));
  await must(api.call('runs', 'archive', { body: { runIds: [run.id] } }));
  t.is((await onTask(api, taskId, { text: 'Well done' })).status, 201);
  t.is((await onRun(api, run.id, { text: 'Well done' })).status, 201);
  t.like(await must(api.call('runs', 'get', { params: { id: run.id } })), { status: 'COMPLETED' });
});

test('a migration keeps the comments of a removed task, which takes no more', async (t) => {
  const org = await newOrganization(app);
  const { api } = org;
  const { run, templateId, taskIds } = await newRun(org);
  const { runTaskId } = run.byTitle('Ship');
  const { id } = await must(onTask(api, runTaskId, { text: 'By rail?' }));
  const params = { id: templateId, taskId: taskIds['Ship'] ?? '' };
  await must(api.call('templates.tasks', 'delete', { params }));
  await must(api.call('templates', 'publish', { params: { id: templateId } }));
  await must(api.call('runs', 'migrateToLatest', { params: { id: run.id } }));

  t.like((await listOf(api, run.id)).data, [{ id, runTaskId }]);
  await isRejected(t, onTask(api, runTaskId, { text: 'No' }), 404, 'Task not found.');
  await isRejected(t, api.call('runs.tasks', 'comments', { params: { taskId: runTaskId } }), 404, 'Task not found.');
  t.like(await must(edit(api, id, { text: 'By road' })), { text: 'By road', runTaskId });
});

test('a text that is empty, too long or has control characters is rejected with the reason', async (t) => {
  const org = await newOrganization(app);
  const { run } = await newRun(org);
  const rejected = async (text: string, message: string) =>
    isRejected(t, onRun(org.api, run.id, { text }), 400, [`text: ${message}`]);
  await rejected('', 'must not be empty');
  await rejected(' \n', 'must not be empty');
  await rejected('x'.repeat(20_481), 'must be at most 20480 bytes of UTF-8');
  await rejected('é'.repeat(10_241), 'must be at most 20480 bytes of UTF-8');
  await rejected('a\u0007b', 'must not contain control characters except tabs and line breaks');
  t.is((await onRun(org.api, run.id, { text: 'é'.repeat(10_240) })).status, 201);
});

test('a mention that is foreign, deactivated or one too many is rejected with its path', async (t) => {
  const org = await newOrganization(app);
  const { run } = await newRun(org);
  const [grace, linus, foreign] = [
    await newMember(org),
    await newMember(org, 'Linus'),
    await newMember(await newOrganization(app)),
  ];
  await must((await org.session()).call('users', 'delete', { params: { id: linus.id } }));
  const group = randomUUID();
  await isRejected(
    t,
    onRun(org.api, run.id, {
      text: 'One',
      mentions: { userIds: [grace.id, linus.id, foreign.id], groupIds: [group] },
    }),
    400,
    [
      'mentions.userIds[1]: not an active member of this organization; see GET /users',
      'mentions.userIds[2]: not an active member of this organization; see GET /users',
      'mentions.groupIds[0]: not a group of this organization; see GET /groups',
    ],
  );
  const ids = (count: number) => Array.from({ length: count }, () => randomUUID());
  await isRejected(t, onRun(org.api, run.id, { text: 'One', mentions: { userIds: ids(51) } }), 400, [
    'mentions.userIds: must contain at most 50 ids',
  ]);
  t.is((await onRun(org.api, run.id, { text: 'One', mentions: { userIds: ids(10_000) } })).status, 400);
  const tooMany = { userIds: ids(26), groupIds: ids(25) };
  await isRejected(t, onRun(org.api, run.id, { text: 'One', mentions: tooMany }), 400, [
    'mentions: must name at most 50 members and groups',
  ]);
  t.is((await listOf(org.api, run.id)).total, 0);
});

test('a restricted key gets a 403 for comments outside of its scope, and another organization a 404', async (t) => {
  const org = await newOrganization(app);
  const { run } = await newRun(org);
  const { runTaskId: taskId } = run.byTitle('Pack');
  const { id: commentId } = await must(onTask(org.api, taskId, { text: 'One' }));
  const { templateId } = await publishProcess(org.api);
  const scopes = ['runs:read' as const, 'runs:write' as const];
  const restricted = await org.key({ scopes, resourceMode: 'SELECTED_TEMPLATES', scopedTemplateIds: [templateId] });
  const { api: foreign } = await newOrganization(app);
  for (const [api, status] of [[restricted, 403] as const, [foreign, 404] as const]) {
    const calls = [
      onRun(api, run.id, { text: 'One' }),
      onTask(api, taskId, { text: 'One' }),
      edit(api, commentId, { text: 'One' }),
      remove(api, commentId),
      api.call('runs.comments', 'get', { params: { commentId } }),
      api.call('runs.comments', 'list', { params: { id: run.id } }),
      api.call('runs.tasks', 'comments', { params: { taskId } }),
    ];
    for (const call of calls) t.is((await call).status, status);
  }
});

test('comments that are sent at the same time are all kept', async (t) => {
  const org = await newOrganization(app);
  const { run } = await newRun(org);
  const sent = Array.from({ length: 8 }, (_, index) => onRun(org.api, run.id, { text: `Comment ${index}` }));
  for (const { status } of await Promise.all(sent)) t.is(status, 201);
  t.is((await listOf(org.api, run.id)).total, 8);
  const { id = '' } = (await listOf(org.api, run.id)).data[0] ?? {};
  const results = await Promise.all([remove(org.api, id), edit(org.api, id, { text: 'Late' }), remove(org.api, id)]);
  t.deepEqual(results.map(({ status }) => status).filter((status) => status === 204).length, 1);
});

test('comment.created has what a message to a person needs', async (t) => {
  const org = await newOrganization(app);
  const { run } = await newRun(org);
  const grace = await newMember(org);
  const { runTaskId } = run.byTitle('Pack');
  const of = async (text: string) => {
    const { data } = await must(org.api.call('events', 'list', { query: { limit: 200 } }));
    return data.find((event) => event.event === 'comment.created' && event.data.text === text)?.data;
  };
  const { id } = await must(onTask(grace.session, runTaskId, { text: 'One', mentions: { userIds: [grace.id] } }));
  await must(onRun(org.api, run.id, { text: 'Two' }));
  t.like(await of('One'), {
    runId: run.id,
    runTitle: run.title,
    runPublicId: run.publicId,
    actorUserId: grace.id,
    runTaskId,
    taskTitle: 'Pack',
    commentId: id,
    author: { id: grace.id, name: 'Grace', email: grace.email },
    mentions: { users: [{ id: grace.id, name: 'Grace' }], groups: [] },
  });
  t.like(await of('Two'), { runTaskId: null, taskId: null, taskTitle: null, mentions: { users: [], groups: [] } });
});
