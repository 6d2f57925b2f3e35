import { filterQuery } from '@runward/contract';
import { apiOf, type Api } from '@runward/testing/api';
import { addMember } from '@runward/testing/members';
import { newOrganization, type TestOrganization } from '@runward/testing/organization';
import { launchRun, must, publishProcess } from '@runward/testing/process';
import { useSharedApp } from '@runward/testing/use-shared-app';
import test from 'ava';
import { isRejected } from '../support/expect-rejection.ts';
import { publishDraft } from '../support/templates.ts';

const app = useSharedApp(test);

/** An organization with a member Grace, who is signed in and in a group. */
async function newTeam(options: { timeZone?: string } = {}) {
  const org = await newOrganization(app, options);
  const owner = await org.session();
  const grace = await addMember(app.baseUrl, owner, { name: 'Grace' });
  const group = await must(owner.call('groups', 'create', { body: { name: 'Desk', memberIds: [grace.id] } }));
  const setMembers = (memberIds: string[]) =>
    must(owner.call('groups', 'update', { params: { id: group.id }, body: { memberIds } }));
  return { org, owner, grace, groupId: group.id, setMembers };
}

const form = [{ label: 'Amount', type: 'TEXT' as const, required: true }];
const mine = (api: Api, query: object = {}) => must(api.call('me.tasks', 'list', { query }));
const counts = (api: Api, query: object = {}) => must(api.call('me.tasks', 'counts', { query }));
/** The titles of the tasks, sorted: tasks without a deadline follow by their ids. */
const titles = async (api: Api, query: object = {}) =>
  (await mine(api, query)).data.map(({ title }) => title).toSorted();
const reasons = async (api: Api) =>
  Object.fromEntries((await mine(api)).data.map((task) => [task.title, task.reasons]));

/** Fills in the form of a task, which requests its approval. */
async function fill(api: Api, runTaskId: string, value = '100') {
  const { id } = await must(api.call('execution', 'open', { body: { runTaskId } }));
  const task = await must(api.call('runs.tasks', 'get', { params: { taskId: runTaskId } }));
  const { data } = await must(api.call('templates', 'publishedFields', { params: { id: task.templateId } }));
  const runTaskFieldId = data.find(({ taskId }) => taskId === task.taskId)?.runTaskFieldId ?? '';
  await must(api.call('execution', 'submit', { body: { executionEntryId: id, runTaskFieldId, value } }));
}

const assign = (org: TestOrganization, taskId: string, body: object) =>
  must(org.api.call('runs.tasks', 'setAssignee', { params: { taskId }, body }));
const setDue = (org: TestOrganization, taskId: string, dueAt: string | null) =>
  must(org.api.call('runs.tasks', 'setDueDate', { params: { taskId }, body: { dueAt } }));
const complete = (api: Api, taskId: string) =>
  must(api.call('runs.tasks', 'setStatus', { params: { taskId }, body: { status: 'COMPLETED' } }));
const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();

test('tasks of the member, of a group and those that wait for approval are in one list, each once with its reasons', async (t) => {
  const { org, grace, groupId } = await newTeam();
  const { templateId } = await publishProcess(org.api, [
    { title: 'Own', assigneeId: grace.id },
    { title: 'Shared', assigneeGroupId: groupId },
    { title: 'Nobody' },
    { title: 'Named', approval: { approverIds: [grace.id] }, fields: form },
    { title: 'Both ways', approval: { approverIds: [grace.id], approverGroupIds: [groupId] }, fields: form },
    { title: 'Anyone', approval: {}, fields: form },
    { title: 'Own and approval', assigneeId: grace.id, approval: { approverIds: [grace.id] }, fields: form },
    { title: 'Not requested', approval: { approverIds: [grace.id] }, fields: form },
    { title: 'Of another', approval: { approverIds: [org.ownerUserId] }, fields: form },
  ]);
  const run = await launchRun(org.api, templateId);
  for (const title of ['Named', 'Both ways', 'Anyone', 'Own and approval', 'Of another'])
    await fill(org.api, run.byTitle(title).runTaskId);

  t.deepEqual(await reasons(grace.session), {
    Own: ['ASSIGNED'],
    Shared: ['GROUP'],
    Named: ['APPROVAL'],
    'Both ways': ['APPROVAL'],
    Anyone: ['APPROVAL'],
    'Own and approval': ['ASSIGNED', 'APPROVAL'],
  });
  const { data, total } = await mine(grace.session);
  t.is(total, 6);
  const listed = await must(org.api.call('runs.tasks', 'list', { query: { limit: 200 } }));
  for (const { reasons: _, due, ...item } of data) {
    t.is(due, 'NONE');
    t.deepEqual(
      item,
      listed.data.find(({ runTaskId }) => runTaskId === item.runTaskId),
    );
  }
  t.deepEqual(await counts(grace.session), {
    total: 6,
    byDue: { OVERDUE: 0, TODAY: 0, THIS_WEEK: 0, LATER: 0, NONE: 6 },
    byReason: { ASSIGNED: 2, GROUP: 1, APPROVAL: 4 },
  });
  t.deepEqual(await titles(grace.session, { reason: 'GROUP,ASSIGNED' }), ['Own', 'Own and approval', 'Shared']);
  t.like(await counts(grace.session, { reason: 'ASSIGNED' }), { total: 2, byReason: { ASSIGNED: 2, APPROVAL: 1 } });
  // Who filled in the form does not approve it.
  t.deepEqual(await titles(org.api), []);
});

test('a decision, a completion, an assignment and a changed group take tasks out and bring them back', async (t) => {
  const { org, grace, groupId, setMembers } = await newTeam();
  const { templateId } = await publishProcess(org.api, [
    { title: 'Own', assigneeId: grace.id },
    { title: 'Shared', assigneeGroupId: groupId },
    { title: 'Check', approval: { approverGroupIds: [groupId] }, fields: form },
  ]);
  const run = await launchRun(org.api, templateId);
  const [own, check] = ['Own', 'Check'].map((title) => run.byTitle(title).runTaskId) as [string, string];
  await fill(org.api, check);
  t.deepEqual(await titles(grace.session), ['Check', 'Own', 'Shared']);

  await setMembers([]);
  t.deepEqual(await titles(grace.session), ['Own']);
  await setMembers([grace.id]);
  await must(grace.session.call('runs.tasks', 'approve', { params: { taskId: check }, body: {} }));
  t.deepEqual(await titles(grace.session), ['Own', 'Shared']);
  await assign(org, own, { assigneeId: org.ownerUserId });
  t.deepEqual(await titles(grace.session), ['Shared']);
  t.deepEqual(await titles(org.api), ['Own']);
  await assign(org, own, { assigneeId: grace.id });
  await complete(org.api, own);
  t.deepEqual(await titles(grace.session), ['Shared']);

  const params = { id: run.id };
  await must(org.api.call('runs', 'cancel', { params }));
  t.deepEqual(await titles(grace.session), []);
  await must(org.api.call('runs', 'reopen', { params }));
  t.deepEqual(await titles(grace.session), ['Shared']);
  await fill(org.api, (await launchRun(org.api, templateId)).byTitle('Check').runTaskId);
  t.deepEqual(await titles(grace.session, { reason: 'APPROVAL' }), ['Check']);
});

test('an approval of everyone leaves the list of who has decided, and a rejection that of all', async (t) => {
  const { org, grace, groupId, setMembers } = await newTeam();
  const ada = await addMember(app.baseUrl, await org.session(), { name: 'Ada' });
  await setMembers([grace.id, ada.id]);
  const approval = { policy: 'ALL' as const, approverIds: [org.ownerUserId, grace.id], approverGroupIds: [groupId] };
  const { templateId } = await publishProcess(org.api, [
    { title: 'Check', approval: { ...approval, allowSelfApproval: true }, fields: form },
  ]);
  const taskId = (await launchRun(org.api, templateId)).byTitle('Check').runTaskId;
  await fill(org.api, taskId);
  const all = () => Promise.all([org.api, grace.session, ada.session].map((api) => titles(api)));

  t.deepEqual(await all(), [['Check'], ['Check'], ['Check']]);
  // Grace also decides for the group.
  await must(grace.session.call('runs.tasks', 'approve', { params: { taskId }, body: {} }));
  t.deepEqual(await all(), [['Check'], [], []]);
  await must(org.api.call('runs.tasks', 'reject', { params: { taskId }, body: { comment: 'Too much' } }));
  t.deepEqual(await all(), [[], [], []]);
});

test('tasks are in the order of their deadlines and grouped by days of the time zone of the organization', async (t) => {
  const timeZone = 'Pacific/Kiritimati';
  const { org, grace } = await newTeam({ timeZone });
  const tasks = ['Free', 'Later', 'Late', 'Next year'].map((title) => ({ title, assigneeId: grace.id }));
  const { templateId } = await publishProcess(org.api, tasks);
  const run = await launchRun(org.api, templateId);
  await setDue(org, run.byTitle('Late').runTaskId, inDays(-3));
  await setDue(org, run.byTitle('Later').runTaskId, inDays(20));
  await setDue(org, run.byTitle('Next year').runTaskId, inDays(400));

  const { data } = await mine(grace.session);
  t.deepEqual(
    data.map(({ title, due }) => [title, due]),
    [
      ['Late', 'OVERDUE'],
      ['Later', 'LATER'],
      ['Next year', 'LATER'],
      ['Free', 'NONE'],
    ],
  );
  for (const due of ['OVERDUE', 'TODAY', 'THIS_WEEK', 'LATER', 'NONE']) {
    const expected = data.filter((task) => task.due === due).map(({ title }) => title);
    t.deepEqual(await titles(grace.session, { due }), expected, due);
    t.is((await counts(grace.session, { due })).total, expected.length, due);
  }
  t.deepEqual(await titles(grace.session, { due: 'LATER', dueBefore: inDays(100) }), ['Later']);
  t.deepEqual(await titles(grace.session, { due: 'LATER', dueAfter: inDays(-9) }), ['Later', 'Next year']);
  t.deepEqual(await titles(grace.session, { due: 'NONE', dueAfter: inDays(-9) }), []);
});

test('pages that are read while tasks change have every unchanged task once', async (t) => {
  const { org, grace, groupId } = await newTeam();
  const assignees = [{ assigneeId: grace.id }, { assigneeGroupId: groupId }];
  const { templateId } = await publishProcess(
    org.api,
    Array.from({ length: 6 }, (_, index) => ({ title: `Task ${index}`, ...assignees[index % 2] })),
  );
  const runs = [await launchRun(org.api, templateId), await launchRun(org.api, templateId)];
  const ids = runs.flatMap(({ tasks }) => tasks.map(({ runTaskId }) => runTaskId));
  for (const [index, id] of ids.slice(0, 8).entries()) await setDue(org, id, inDays(1 + (index % 4)));

  const all = (await mine(grace.session)).data.map(({ runTaskId }) => runTaskId);
  t.is(all.length, 12);
  const changed = [all[0], all[2], all[11]] as string[];
  const seen: string[] = [];
  for (let cursor: string | null = ''; cursor !== null;) {
    const page = await mine(grace.session, { limit: 3, ...(cursor && { cursor }) });
    seen.push(...page.data.map(({ runTaskId }) => runTaskId));
    ({ nextCursor: cursor } = page);
    const id = changed.pop();
    if (id !== undefined) await complete(org.api, id);
  }
  const kept = all.filter((id) => ![all[0], all[2], all[11]].includes(id));
  t.deepEqual(
    seen.filter((id) => kept.includes(id)),
    kept,
  );
  t.is(new Set(seen).size, seen.length);
});

test('a key lists the tasks of its creator in its resource scope, and no task of another organization is listed', async (t) => {
  const { org, grace } = await newTeam();
  const other = await newTeam();
  const sketch = [{ title: 'Own', assigneeId: org.ownerUserId }];
  const inside = await publishProcess(org.api, sketch);
  const outside = await publishProcess(org.api, [
    ...sketch,
    { title: 'Check', approval: { approverIds: [org.ownerUserId], allowSelfApproval: true }, fields: form },
  ]);
  await launchRun(org.api, inside.templateId);
  await fill(org.api, (await launchRun(org.api, outside.templateId)).byTitle('Check').runTaskId);
  const restricted = { resourceMode: 'SELECTED_TEMPLATES' as const, scopedTemplateIds: [inside.templateId] };
  const api = await org.key({ scopes: ['runs:read'], ...restricted });

  t.deepEqual(await titles(org.api), ['Check', 'Own', 'Own']);
  t.deepEqual(await titles(org.api, { templateId: outside.templateId }), ['Check', 'Own']);
  t.deepEqual(await titles(api), ['Own']);
  t.like(await counts(api), { total: 1, byReason: { ASSIGNED: 1, APPROVAL: 0 } });
  for (const path of ['/me/tasks', '/me/tasks/counts'])
    t.is((await api.raw('GET', `${path}?templateId=${outside.templateId}`)).status, 403);
  t.deepEqual(await titles(grace.session), []);
  for (const stranger of [other.grace.session, other.org.api]) t.deepEqual(await titles(stranger), []);
  await isRejected(
    t,
    other.org.api.raw('GET', `/me/tasks?templateId=${inside.templateId}`),
    404,
    'Template not found.',
  );
  t.is((await apiOf(app.baseUrl, await org.plainKey({ scopes: ['users:read'] })).raw('GET', '/me/tasks')).status, 403);
  for (const query of ['reason=MINE', 'due=SOON', 'status=COMPLETED', 'due=TODAY&due=LATER', 'assigneeId=me'])
    t.is((await org.api.raw('GET', `/me/tasks?${query}`)).status, 400, query);
});

test('the tasks of the caller are found by values of their runs, for every reason, and are counted', async (t) => {
  const { org, grace, groupId } = await newTeam();
  const region = { key: 'region', type: 'TEXT' as const, searchable: true };
  const templateId = await publishDraft(
    org.api,
    [
      { title: 'Own', assigneeId: grace.id },
      { title: 'Shared', assigneeGroupId: groupId },
      { title: 'Named', approval: { approverIds: [grace.id] }, fields: form },
    ],
    [region],
  );
  for (const value of ['EMEA', 'APAC']) {
    const run = await launchRun(org.api, templateId, { variables: { region: value } });
    await fill(org.api, run.byTitle('Named').runTaskId);
  }
  const query = filterQuery({ values: [{ variable: 'region', operator: 'EQUALS', value: 'emea' }] });
  t.is((await mine(grace.session)).total, 6);
  const { data, total } = await mine(grace.session, query);
  t.is(total, 3);
  t.deepEqual(data.map(({ title }) => title).toSorted(), ['Named', 'Own', 'Shared']);
  t.is(new Set(data.map(({ runId }) => runId)).size, 1);
  t.like(await counts(grace.session, query), { total: 3, byReason: { ASSIGNED: 1, GROUP: 1, APPROVAL: 1 } });
  const unknown = filterQuery({ values: [{ variable: 'colour', operator: 'IS_EMPTY' }] });
  t.is((await grace.session.call('me.tasks', 'list', { query: unknown })).status, 400);
});
