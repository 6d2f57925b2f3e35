import { randomUUID } from 'node:crypto';
import { newOrganization } from '@runward/testing/organization';
import { getRun, launchRun, must, publishProcess } from '@runward/testing/process';
import { useSharedApp } from '@runward/testing/use-shared-app';
import test from 'ava';
import { isRejected } from '../support/expect-rejection.ts';
import { publishDraft } from '../support/templates.ts';

const app = useSharedApp(test);

test('several launches are accepted or rejected one by one, with the messages of a single launch', async (t) => {
  const { api, ownerUserId } = await newOrganization(app);
  const hire = await publishProcess(api, [{ title: 'A' }, { title: 'B' }], { name: 'Hire' }, [{ key: 'region' }]);
  const check = await publishProcess(api, [{ title: 'C' }], { name: 'Check' });
  const draft = await must(api.call('templates', 'create', { body: { name: 'Draft' } }));
  const runs = [
    { templateId: hire.templateId, title: 'First', variables: { region: 'EU' } },
    { templateId: hire.templateId, ownerEmail: 'no@no.example', variables: { nope: 1 } },
    { templateId: draft.id },
    { templateId: check.templateId },
  ];

  const { created, rejected, results } = await must(api.call('runs', 'bulkLaunch', { body: { runs } }));

  t.deepEqual([created, rejected], [2, 2]);
  t.deepEqual(
    results.map(({ index, status, run }) => [index, status, run?.title, run?.ownerUserId]),
    [
      [0, 'CREATED', 'First', ownerUserId],
      [1, 'REJECTED', undefined, undefined],
      [2, 'REJECTED', undefined, undefined],
      [3, 'CREATED', 'Check', ownerUserId],
    ],
  );
  for (const index of [1, 2]) {
    const single = await api.call('runs', 'launch', { body: runs[index] ?? { templateId: '' } });
    t.deepEqual(results[index]?.message, single.error.message);
  }
  const first = await getRun(api, results[0]?.run?.id ?? '');
  t.deepEqual(first.variables, { region: 'EU' });
  t.is(first.tasks.length, 2);
  const { data, total } = await must(api.call('runs', 'list'));
  t.is(total, 2);
  t.deepEqual(
    data.map(({ id }) => id),
    [results[3]?.run?.id, results[0]?.run?.id],
  );
  const activity = await must(api.call('runs', 'activity', { params: { id: first.id } }));
  t.deepEqual(
    activity.data.map(({ type }) => type),
    ['run.started'],
  );
  const events = await must(api.call('events', 'list', { query: { events: ['run.started'] } }));
  t.deepEqual(
    events.data.map(({ event, data: { runId } }) => [event, runId]),
    [first.id, results[3]?.run?.id].map((id) => ['run.started', id]),
  );
});

test('500 launches are one request, and a repetition with its Idempotency-Key launches nothing again', async (t) => {
  const { api } = await newOrganization(app);
  const { templateId } = await publishProcess(api, [
    { title: 'A' },
    { title: 'B' },
    { title: 'C' },
    { title: 'D' },
    { title: 'E' },
  ]);
  const body = { runs: Array.from({ length: 500 }, (_, index) => ({ templateId, title: `Run ${index}` })) };
  const headers = { 'idempotency-key': randomUUID() };
  const first = await api.raw('POST', '/runs/bulk', { body, headers });
  const second = await api.raw('POST', '/runs/bulk', { body, headers });
  t.deepEqual([first.status, second.status], [200, 200]);
  t.deepEqual(second.body, first.body);
  t.is(second.headers.get('idempotency-replayed'), 'true');
  t.is((await must(api.call('runs', 'counts'))).total, 500);

  const { data } = await must(api.call('runs', 'list', { query: { limit: 3 } }));
  t.deepEqual(
    data.map(({ title }) => title),
    ['Run 499', 'Run 498', 'Run 497'],
  );
  const tooMany = { runs: [...body.runs, { templateId }] };
  await isRejected(t, api.raw('POST', '/runs/bulk', { body: tooMany }), 400, [
    'runs: must contain at most 500 launches',
  ]);
  await isRejected(t, api.raw('POST', '/runs/bulk', { body: { runs: [] } }), 400, [
    'runs: must contain at least one launch',
  ]);
});

test('launches with many tasks are saved in parts, all or none; more than 20,000 tasks are rejected', async (t) => {
  const { api } = await newOrganization(app);
  const tasks = Array.from({ length: 500 }, (_, index) => ({ title: `Task ${index}` }));
  const templateId = await publishDraft(api, tasks);
  const launches = (count: number) => Array.from({ length: count }, () => ({ templateId }));
  await isRejected(t, api.call('runs', 'bulkLaunch', { body: { runs: launches(41) } }), 400, [
    'runs: would have more than 20000 tasks; launch fewer runs in a request',
  ]);
  t.is((await must(api.call('runs', 'counts'))).total, 0);

  const runs = [...launches(5), { templateId, ownerEmail: 'no@no.example' }, ...launches(4)];
  const { created, results } = await must(api.call('runs', 'bulkLaunch', { body: { runs } }));
  t.is(created, 9);
  t.is(results[5]?.status, 'REJECTED');
  const ids = results.flatMap(({ run }) => run?.id ?? []);
  const { data } = await must(api.call('runs', 'list'));
  t.deepEqual(
    data.map(({ id }) => id),
    ids.toReversed(),
  );
  t.is((await getRun(api, ids.at(-1) ?? '')).tasks.length, 500);
});

test('launches of an unknown template are a 404, and nothing is launched', async (t) => {
  const { api } = await newOrganization(app);
  const { templateId } = await publishProcess(api);
  const runs = [{ templateId }, { templateId: randomUUID() }];
  await isRejected(t, api.call('runs', 'bulkLaunch', { body: { runs } }), 404, 'Template not found.');
  t.is((await must(api.call('runs', 'counts'))).total, 0);
});

test('tasks of several runs change together, and a run completes with its last required task', async (t) => {
  const { api, ownerUserId } = await newOrganization(app);
  const { templateId } = await publishProcess(api, [{ title: 'Must' }, { title: 'May', required: false }]);
  const runs = [await launchRun(api, templateId), await launchRun(api, templateId)];
  const taskIds = runs.flatMap(({ tasks }) => tasks.map(({ runTaskId }) => runTaskId));
  const changes = {
    status: 'COMPLETED',
    assigneeId: ownerUserId,
    dueAt: '2090-01-01T00:00:00Z',
    dueAtHasTime: true,
  } as const;

  t.deepEqual(await must(api.call('runs.tasks', 'bulkUpdate', { body: { taskIds, ...changes } })), { taskIds });

  for (const { id } of runs) {
    const { status, tasks } = await getRun(api, id);
    t.is(status, 'COMPLETED');
    for (const task of tasks) {
      t.like(task, { status: 'COMPLETED', assigneeId: ownerUserId, dueAt: '2090-01-01T00:00:00.000Z' });
    }
  }
});

test('a change of several tasks is all or none and names each rejected task', async (t) => {
  const { api } = await newOrganization(app);
  const { templateId } = await publishProcess(api, [{ title: 'A' }, { title: 'B' }]);
  const active = await launchRun(api, templateId);
  const ended = await launchRun(api, templateId);
  await must(api.call('runs', 'cancel', { params: { id: ended.id } }));
  const idsOf = (run: typeof active) => run.tasks.map(({ runTaskId }) => runTaskId);
  const [first = '', second = ''] = idsOf(active);
  const taskIds = [first, ...idsOf(ended), second];
  const message = 'The run is CANCELLED; reopen it first.';
  const update = (body: object) => api.raw('PATCH', '/runs/tasks/bulk', { body });

  await isRejected(t, update({ taskIds, status: 'COMPLETED' }), 400, [
    `taskIds[1]: ${message}`,
    `taskIds[2]: ${message}`,
  ]);
  await isRejected(t, update({ taskIds: [first, randomUUID()], status: 'COMPLETED' }), 404, 'Task not found.');
  await isRejected(t, update({ taskIds: [first], assigneeId: randomUUID() }), 400, [
    'assigneeId: not an active member of this organization; see GET /users',
  ]);
  await isRejected(t, update({ taskIds: [first] }), 400, [
    'body: must contain at least one of status, assigneeId, assigneeGroupId and dueAt',
  ]);
  await isRejected(t, update({ taskIds: [first], status: 'PENDING', dueAtHasTime: true }), 400, [
    'dueAtHasTime: allowed only with dueAt; send dueAt too',
  ]);
  t.deepEqual(
    (await getRun(api, active.id)).tasks.map(({ status }) => status),
    ['PENDING', 'PENDING'],
  );
});

test('a change of tasks of more runs than are read at a time is all or none, too', async (t) => {
  const { api, ownerUserId } = await newOrganization(app);
  const { templateId } = await publishProcess(api, [{ title: 'A' }]);
  const body = { runs: Array.from({ length: 45 }, () => ({ templateId })) };
  const { results } = await must(api.call('runs', 'bulkLaunch', { body }));
  const runs = results.flatMap(({ run }) => run ?? []);
  const details = await Promise.all(runs.map(({ id }) => getRun(api, id)));
  const taskIds = details.flatMap(({ tasks }) => tasks.map(({ runTaskId }) => runTaskId));
  const ended = runs.at(-1)?.id ?? '';
  const update = () => api.call('runs.tasks', 'bulkUpdate', { body: { taskIds, assigneeId: ownerUserId } });
  const assigned = () => must(api.call('runs.tasks', 'list', { query: { assigneeId: ownerUserId } }));

  await must(api.call('runs', 'cancel', { params: { id: ended } }));
  await isRejected(t, update(), 400, ['taskIds[44]: The run is CANCELLED; reopen it first.']);
  t.is((await assigned()).total, 0);
  await must(api.call('runs', 'reopen', { params: { id: ended } }));
  await must(update());
  t.is((await assigned()).total, 45);

  for (const { id } of runs) await must(api.call('runs', 'cancel', { params: { id } }));
  const archive = { body: { runIds: runs.map(({ id }) => id) } };
  t.is((await must(api.call('runs', 'archive', archive))).archived, 45);
  t.is((await must(api.call('runs', 'archive', archive))).archived, 0);
});
