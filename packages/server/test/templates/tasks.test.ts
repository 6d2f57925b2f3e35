import { randomUUID } from 'node:crypto';
import type { Body, Contract } from '@runward/contract';
import type { Api } from '@runward/testing/api';
import { newOrganization } from '@runward/testing/organization';
import { must } from '@runward/testing/process';
import { useSharedApp } from '@runward/testing/use-shared-app';
import test from 'ava';
import { isRejected } from '../support/expect-rejection.ts';
import { addTask, newGroup, newTemplate, readTasks, readTemplate } from '../support/templates.ts';

const app = useSharedApp(test);

async function threeTasks(api: Api) {
  const id = await newTemplate(api);
  const tasks = [
    await addTask(api, id, { title: 'A' }),
    await addTask(api, id, { title: 'B' }),
    await addTask(api, id, { title: 'C' }),
  ] as const;
  return { id, tasks, params: tasks.map((task) => ({ id, taskId: task.id })) as [Params, Params, Params] };
}

interface Params {
  readonly id: string;
  readonly taskId: string;
}

const titles = async (api: Api, id: string) => (await readTasks(api, id)).map(({ title }) => title);

test('a new task is added at the end with the defaults', async (t) => {
  const { api } = await newOrganization(app);
  const id = await newTemplate(api);
  await addTask(api, id);

  const { status, body } = await api.call('templates.tasks', 'create', { params: { id }, body: { title: ' Call ' } });

  t.is(status, 201);
  t.deepEqual(body, {
    id: body.id,
    key: null,
    position: 1,
    title: 'Call',
    description: null,
    phaseId: null,
    required: true,
    repeatable: false,
    assigneeId: null,
    assigneeGroupId: null,
    due: null,
    approval: null,
    fields: [],
    rules: [],
    dependencies: [],
  });
  t.deepEqual((await readTasks(api, id))[1], body);
});

test('a task accepts every property', async (t) => {
  const org = await newOrganization(app);
  const { api } = org;
  const id = await newTemplate(api);
  const ada = await org.member('Ada');
  const groupId = await newGroup(app, org.organizationId);
  const phase = await must(api.call('templates.phases', 'create', { params: { id }, body: { name: 'Start' } }));
  const common = { description: 'How', phaseId: phase.id, required: false, repeatable: true };

  const due = { from: 'SCHEDULED_DATE' as const, offset: 'P1DT2H' };
  const one = await addTask(api, id, { title: 'One', ...common, assigneeId: ada.id, due });
  const two = await addTask(api, id, { title: 'Two', assigneeGroupId: groupId, due: { ...due, hasTime: false } });

  t.like(one, { ...common, assigneeId: ada.id, assigneeGroupId: null, due: { ...due, hasTime: true } });
  t.like(two, { assigneeId: null, assigneeGroupId: groupId, due: { ...due, hasTime: false } });
  t.deepEqual(await readTasks(api, id), [one, two]);
});

test('the list is in order and paged', async (t) => {
  const { api } = await newOrganization(app);
  const { id, tasks } = await threeTasks(api);
  const list = (query: object) => must(api.call('templates.tasks', 'list', { params: { id }, query }));

  const first = await list({ limit: 2 });
  t.deepEqual(first.data, tasks.slice(0, 2));
  t.like(first, { total: 3, hasMore: true });
  t.deepEqual(await list({ limit: 2, cursor: first.nextCursor }), {
    data: tasks.slice(2),
    total: 3,
    hasMore: false,
    nextCursor: null,
  });
});

test('an update changes the given properties and the position', async (t) => {
  const { api } = await newOrganization(app);
  const { id, tasks, params } = await threeTasks(api);
  const update = (of: Params, body: object) => api.call('templates.tasks', 'update', { params: of, body });

  const { status, body } = await update(params[2], { position: 0, description: 'First now' });
  t.is(status, 200);
  t.deepEqual(body, { ...tasks[2], position: 0, description: 'First now' });
  t.deepEqual(await titles(api, id), ['C', 'A', 'B']);
  t.deepEqual(
    (await readTasks(api, id)).map(({ position }) => position),
    [0, 1, 2],
  );

  t.is((await update(params[2], { position: 99 })).body.position, 2);
  t.deepEqual(await titles(api, id), ['A', 'B', 'C']);
  const due = { from: 'LAUNCH', offset: 'P1D', hasTime: true };
  t.deepEqual((await update(params[0], { due, required: false })).body, { ...tasks[0], due, required: false });
  t.deepEqual((await update(params[0], { due: null, required: true })).body, tasks[0]);
});

test('an edit that changes nothing leaves updatedAt unchanged', async (t) => {
  const { api } = await newOrganization(app);
  const { id, tasks, params } = await threeTasks(api);
  await app.provision.query(`update templates set updated_at = now() - interval '1 hour' where id = $1`, [id]);
  const before = await readTemplate(api, id);

  const same = { title: 'B', position: 1, description: null, due: null };
  for (const body of [{}, same]) {
    t.deepEqual(await must(api.call('templates.tasks', 'update', { params: params[1], body })), tasks[1]);
  }
  t.deepEqual(await readTemplate(api, id), before);

  await must(api.call('templates.tasks', 'update', { params: params[1], body: { title: 'D' } }));
  t.true((await readTemplate(api, id)).updatedAt > before.updatedAt);
});

test('an assignee is an active member or a group of the organization, not both', async (t) => {
  const org = await newOrganization(app);
  const { api } = org;
  const stranger = await newOrganization(app);
  const { id, tasks, params } = await threeTasks(api);
  const ada = await org.member('Ada');
  const gone = await org.member('Gone');
  await app.provision.query(`update users set status = 'DEACTIVATED' where id = $1`, [gone.id]);
  const groupId = await newGroup(app, org.organizationId);
  const foreignGroup = await newGroup(app, stranger.organizationId);
  const before = await readTasks(api, id);

  const noMember = 'assigneeId: not an active member of this organization; see GET /users';
  const noGroup = 'assigneeGroupId: not a group of this organization; see GET /groups';
  for (const [changes, message] of [
    [{ assigneeId: stranger.ownerUserId }, noMember],
    [{ assigneeId: gone.id }, noMember],
    [{ assigneeId: randomUUID() }, noMember],
    [{ assigneeGroupId: foreignGroup }, noGroup],
    [{ assigneeGroupId: randomUUID() }, noGroup],
    [{ approval: { approverIds: [ada.id, gone.id] } }, `approval.approverIds[1]: ${noMember.slice(12)}`],
    [{ approval: { approverIds: [stranger.ownerUserId] } }, `approval.approverIds[0]: ${noMember.slice(12)}`],
    [{ approval: { approverGroupIds: [foreignGroup] } }, `approval.approverGroupIds[0]: ${noGroup.slice(17)}`],
    [{ phaseId: groupId }, `phaseId: the template has no phase with the id ${groupId}; create it first or send null`],
  ] satisfies [Body<Contract['templates.tasks']['update']>, string][]) {
    const create = api.call('templates.tasks', 'create', { params: { id }, body: { title: 'New', ...changes } });
    await isRejected(t, create, 400, [message]);
    await isRejected(t, api.call('templates.tasks', 'update', { params: params[0], body: changes }), 400, [message]);
    const body = { taskIds: [tasks[0].id], changes };
    await isRejected(t, api.call('templates.tasks', 'bulkUpdate', { params: { id }, body }), 400, [
      `changes.${message}`,
    ]);
    const missing = { params: { id, taskId: randomUUID() }, body: changes };
    await isRejected(t, api.call('templates.tasks', 'update', missing), 404, 'Task not found.');
  }
  const both = { assigneeId: ada.id, assigneeGroupId: groupId };
  t.regex(
    [(await api.call('templates.tasks', 'update', { params: params[0], body: both })).error.message].flat()[0] ?? '',
    /^assigneeId: the task "A" cannot have both a user and a group/,
  );
  t.deepEqual(await readTasks(api, id), before);

  await must(api.call('templates.tasks', 'update', { params: params[0], body: { assigneeId: ada.id } }));
  const group = await api.call('templates.tasks', 'update', { params: params[0], body: { assigneeGroupId: groupId } });
  t.is(group.status, 400);
  const swap = { assigneeId: null, assigneeGroupId: groupId };
  t.like((await api.call('templates.tasks', 'update', { params: params[0], body: swap })).body, swap);
});

test('invalid input is rejected with the path of the field', async (t) => {
  const { api } = await newOrganization(app);
  const { id, params } = await threeTasks(api);
  for (const [body, message] of [
    [{ title: '' }, ['title: must not be empty']],
    [{ title: 'A', required: null }, ['required: must be a boolean']],
    [{ title: 'A', phaseId: 'p' }, ['phaseId: must be a UUID']],
    [
      { title: 'A', due: { from: 'NOW', offset: 'P1D' } },
      ['due.from: must be one of LAUNCH, SCHEDULED_DATE, UNBLOCKED'],
    ],
    [
      { title: 'A', due: { from: 'LAUNCH', offset: '1d' } },
      ['due.offset: must be an ISO 8601 duration like P3D or PT12H'],
    ],
    [{ title: 'A', due: { from: 'LAUNCH', offset: 'P1D', at: 1 } }, ['due.at: unknown parameter; remove it']],
    [{ title: 'A', fields: [], id }, ['fields: unknown parameter; remove it', 'id: unknown parameter; remove it']],
  ] as const) {
    await isRejected(t, api.raw('POST', `/templates/${id}/tasks`, { body }), 400, [...message]);
    await isRejected(t, api.raw('PUT', `/templates/${id}/tasks/${params[0].taskId}`, { body }), 400, [...message]);
  }
  await isRejected(t, api.raw('POST', `/templates/${id}/tasks`, { body: { title: 'A', position: 0 } }), 400, [
    'position: unknown parameter; remove it',
  ]);
  for (const position of [-1, 0.5, '1']) {
    t.is((await api.raw('PUT', `/templates/${id}/tasks/${params[0].taskId}`, { body: { position } })).status, 400);
  }
  const bulk = (body: object) => api.raw('PATCH', `/templates/${id}/tasks/bulk-update`, { body });
  const taskIds = [params[0].taskId];
  await isRejected(t, bulk({ taskIds, changes: { position: 1 } }), 400, [
    'changes.position: unknown parameter; remove it',
  ]);
  await isRejected(t, bulk({ taskIds: [], changes: {} }), 400, ['taskIds: must contain at least one id']);
  await isRejected(t, bulk({ taskIds: [...taskIds, ...taskIds], changes: {} }), 400, [
    'taskIds: must not contain an id twice',
  ]);
  t.deepEqual(await titles(api, id), ['A', 'B', 'C']);
});

test('removing a task removes its fields and moves later tasks up', async (t) => {
  const { api } = await newOrganization(app);
  const { id, tasks, params } = await threeTasks(api);

  t.is((await api.call('templates.tasks', 'delete', { params: params[0] })).status, 204);
  t.deepEqual(await readTasks(api, id), [
    { ...tasks[1], position: 0 },
    { ...tasks[2], position: 1 },
  ]);
  await isRejected(t, api.call('templates.tasks', 'delete', { params: params[0] }), 404, 'Task not found.');
});

test('bulk operations are atomic', async (t) => {
  const { api } = await newOrganization(app);
  const { id, tasks } = await threeTasks(api);
  const [a, b, c] = tasks;
  const body = { label: 'Size', type: 'NUMBER' as const };
  await must(api.call('templates.fields', 'create', { params: { id, taskId: a.id }, body }));
  const before = await readTasks(api, id);
  const params = { id };

  const absent = randomUUID();
  const message = [`taskIds: the template has no task ${absent}; list only tasks of its draft`];
  const mixed = { taskIds: [a.id, absent] };
  await isRejected(t, api.call('templates.tasks', 'bulkDelete', { params, body: mixed }), 400, message);
  await isRejected(t, api.call('templates.tasks', 'bulkDuplicate', { params, body: mixed }), 400, message);
  const changes = { required: false, description: 'Both' };
  await isRejected(t, api.call('templates.tasks', 'bulkUpdate', { params, body: { ...mixed, changes } }), 400, message);
  t.deepEqual(await readTasks(api, id), before);

  const updated = await api.call('templates.tasks', 'bulkUpdate', { params, body: { taskIds: [c.id, a.id], changes } });
  t.is(updated.status, 200);
  t.deepEqual<unknown, unknown>(updated.body, {
    data: [
      { ...before[2], ...changes },
      { ...before[0], ...changes },
    ],
  });
  t.deepEqual(await readTasks(api, id), [updated.body.data[1], b, updated.body.data[0]]);

  const copied = await api.call('templates.tasks', 'bulkDuplicate', { params, body: { taskIds: [c.id, a.id] } });
  t.is(copied.status, 201);
  t.deepEqual(await titles(api, id), ['A', 'A (copy)', 'B', 'C', 'C (copy)']);
  const all = await readTasks(api, id);
  t.deepEqual(copied.body.data, [all[4], all[1]]);
  t.like(copied.body.data[1], { ...changes, position: 1 });
  t.like(copied.body.data[1]?.fields[0], { key: 'size_2', label: 'Size', position: 0 });

  const removed = await api.call('templates.tasks', 'bulkDelete', { params, body: { taskIds: [a.id, b.id, c.id] } });
  t.is(removed.status, 204);
  t.deepEqual(await titles(api, id), ['A (copy)', 'C (copy)']);
});

test('concurrent edits of one draft lose nothing', async (t) => {
  const { api } = await newOrganization(app);
  const { id, params } = await threeTasks(api);
  const labels = Array.from({ length: 8 }, (_, index) => `Field ${index}`);

  await Promise.all([
    ...labels.map((label) =>
      must(api.call('templates.fields', 'create', { params: params[0], body: { label, type: 'TEXT' } })),
    ),
    ...labels.map((title) => addTask(api, id, { title })),
    ...labels.map((key) =>
      must(api.call('templates.variables', 'create', { params: { id }, body: { key: key.replace(' ', '_') } })),
    ),
    must(api.call('templates.tasks', 'update', { params: params[1], body: { title: 'Renamed' } })),
    must(api.call('templates', 'update', { params: { id }, body: { name: 'Renamed too' } })),
  ]);

  const tasks = await readTasks(api, id);
  t.deepEqual(tasks[0]?.fields.map(({ label }) => label).sort(), labels);
  t.deepEqual(
    tasks
      .slice(3)
      .map(({ title }) => title)
      .sort(),
    labels,
  );
  t.is(tasks[1]?.title, 'Renamed');
  t.is((await must(api.call('templates.variables', 'list', { params: { id } }))).total, labels.length);
  t.is((await readTemplate(api, id)).name, 'Renamed too');
});

test('a template has at most 500 tasks', async (t) => {
  const { api } = await newOrganization(app);
  const id = await newTemplate(api);
  await addTask(api, id);
  for (let size = 1; size < 500; size = Math.min(size * 2, 500)) {
    const taskIds = (await readAll(api, id)).slice(0, 500 - size);
    await must(api.call('templates.tasks', 'bulkDuplicate', { params: { id }, body: { taskIds } }));
  }
  const taskIds = await readAll(api, id);
  t.is(taskIds.length, 500);

  const message = 'The template would have 501 tasks, but it can have at most 500; remove some first.';
  await isRejected(t, api.call('templates.tasks', 'create', { params: { id }, body: { title: 'X' } }), 400, message);
  await must(api.call('templates.tasks', 'bulkDelete', { params: { id }, body: { taskIds } }));
  t.deepEqual(await readTasks(api, id), []);
});

async function readAll(api: Api, id: string): Promise<string[]> {
  const ids: string[] = [];
  for (let cursor: string | null | undefined; cursor !== null;) {
    const page = await must(
      api.call('templates.tasks', 'list', { params: { id }, query: { ...(cursor && { cursor }) } }),
    );
    ids.push(...page.data.map((task) => task.id));
    cursor = page.nextCursor;
  }
  return ids;
}
