import type { DeliveryPayload, EventName } from '@runward/contract';
import type { Api } from '@runward/testing/api';
import { newOrganization } from '@runward/testing/organization';
import { launchRun, must, publishProcess } from '@runward/testing/process';
import { startReceiver } from '@runward/testing/receiver';
import { useSharedApp } from '@runward/testing/use-shared-app';
import test from 'ava';

const app = useSharedApp(test);

const work: EventName[] = [
  'task.assigned',
  'task.unassigned',
  'task.ready',
  'task.due_soon',
  'task.reopened',
  'approval.due_soon',
];

const feedOf = async (api: Api, events = work) => (await must(api.call('events', 'list', { query: { events } }))).data;

/** Events in short: what happened to which task, and who has it. */
const inShort = (events: readonly DeliveryPayload[]) =>
  events.map(({ event, data }) => {
    const { taskTitle, assignee, assigneeGroup } = data as { taskTitle: string; assignee: Name; assigneeGroup: Name };
    return [event, taskTitle, assignee?.name ?? assigneeGroup?.name ?? null];
  });
type Name = { name: string } | null;

async function staffed() {
  const org = await newOrganization(app);
  const ada = await org.member('Ada');
  const bob = await org.member('Bob');
  const session = await org.session();
  const group = await must(session.call('groups', 'create', { body: { name: 'Accounting' } }));
  const assign = (runTaskId: string, body: { assigneeId?: string | null; assigneeGroupId?: string | null }) =>
    must(org.api.call('runs.tasks', 'setAssignee', { params: { taskId: runTaskId }, body }));
  const setStatus = (runTaskId: string, status: 'PENDING' | 'COMPLETED') =>
    must(org.api.call('runs.tasks', 'setStatus', { params: { taskId: runTaskId }, body: { status } }));
  return { org, api: org.api, session, ada, bob, group, assign, setStatus };
}

test('a launch says who has each task, and which tasks are ready, with what a message needs', async (t) => {
  const { org, api, ada, group } = await staffed();
  const { templateId, taskIds } = await publishProcess(api, [
    { title: 'Order', assigneeId: ada.id, due: { from: 'LAUNCH', offset: 'P3D' } },
    { title: 'Pay', assigneeGroupId: group.id },
    { title: 'File' },
  ]);
  const draft = { id: templateId, taskId: taskIds['Pay'] ?? '' };
  const dependencies = { taskIds: [taskIds['Order'] ?? ''] };
  await must(api.call('templates.dependencies', 'set', { params: draft, body: dependencies }));
  await must(api.call('templates', 'publish', { params: { id: templateId } }));
  const run = await launchRun(api, templateId, { title: 'Laptop' });

  const events = await feedOf(api, ['run.started', ...work]);
  t.deepEqual(inShort(events), [
    ['run.started', undefined, null],
    ['task.assigned', 'Order', 'Ada'],
    ['task.ready', 'Order', 'Ada'],
    ['task.assigned', 'Pay', 'Accounting'],
    ['task.ready', 'File', null],
  ] as ReturnType<typeof inShort>);
  t.deepEqual(events[1]?.data, {
    runId: run.id,
    templateId,
    runTaskId: run.byTitle('Order').runTaskId,
    taskId: taskIds['Order'],
    runTitle: 'Laptop',
    runPublicId: run.publicId,
    actorUserId: org.ownerUserId,
    taskTitle: 'Order',
    assignee: { id: ada.id, name: 'Ada', email: ada.email },
    assigneeGroup: null,
    dueAt: run.byTitle('Order').dueAt,
    ready: true,
    sequence: 1,
  });
  t.like(events[3]?.data, { assignee: null, assigneeGroup: { id: group.id, name: 'Accounting' }, ready: false });
});

test('an assignment names who loses and who gets the task; the same assignee again is no event', async (t) => {
  const { api, ada, bob, group, assign } = await staffed();
  const { templateId } = await publishProcess(api);
  const { runTaskId } = (await launchRun(api, templateId)).byTitle('Only task');
  await assign(runTaskId, { assigneeId: ada.id });
  await assign(runTaskId, { assigneeId: ada.id });
  await assign(runTaskId, { assigneeId: bob.id });
  await assign(runTaskId, { assigneeGroupId: group.id });
  await assign(runTaskId, { assigneeId: null, assigneeGroupId: null });
  t.deepEqual(inShort(await feedOf(api)), [
    ['task.ready', 'Only task', null],
    ['task.assigned', 'Only task', 'Ada'],
    ['task.unassigned', 'Only task', 'Ada'],
    ['task.assigned', 'Only task', 'Bob'],
    ['task.unassigned', 'Only task', 'Bob'],
    ['task.assigned', 'Only task', 'Accounting'],
    ['task.unassigned', 'Only task', 'Accounting'],
  ]);
});

test('a task is ready when it is unblocked or shown, once per change, and only if it can be worked on', async (t) => {
  const { api, setStatus } = await staffed();
  const { templateId, taskIds } = await publishProcess(api, [{ title: 'A' }, { title: 'B' }, { title: 'C' }]);
  for (const [title, needs] of [
    ['B', 'A'],
    ['C', 'B'],
  ] as const) {
    const params = { id: templateId, taskId: taskIds[title] ?? '' };
    await must(api.call('templates.dependencies', 'set', { params, body: { taskIds: [taskIds[needs] ?? ''] } }));
  }
  await must(api.call('templates', 'publish', { params: { id: templateId } }));
  const run = await launchRun(api, templateId);
  await setStatus(run.byTitle('A').runTaskId, 'COMPLETED');
  await setStatus(run.byTitle('B').runTaskId, 'COMPLETED');
  await setStatus(run.byTitle('A').runTaskId, 'PENDING');
  t.deepEqual(inShort(await feedOf(api)), [
    ['task.ready', 'A', null],
    ['task.ready', 'B', null],
    ['task.ready', 'C', null],
    ['task.reopened', 'A', null],
  ]);
});

test('a webhook gets these events only if it names them, each once', async (t) => {
  const { api, ada } = await staffed();
  await using named = await startReceiver();
  await using other = await startReceiver();
  const hook = (url: string, enabledEvents: EventName[]) =>
    must(api.call('webhooks', 'create', { body: { name: 'Hook', url, enabledEvents } }));
  await hook(named.url, ['task.assigned']);
  await hook(other.url, ['run.started']);
  const { templateId } = await publishProcess(api, [{ title: 'Order', assigneeId: ada.id }]);
  await launchRun(api, templateId);
  const [delivery] = await named.wait(1);
  await other.wait(1);
  t.is((await must(api.call('webhooks', 'deliveries'))).total, 2);
  t.deepEqual([named.received.length, other.received.length], [1, 1]);
  t.is(delivery?.body, JSON.stringify((await feedOf(api, ['task.assigned']))[0]));
});

test('the feed returns only the named events, and rejects names that do not exist', async (t) => {
  const { api } = await staffed();
  const { templateId } = await publishProcess(api);
  await launchRun(api, templateId);
  const all = await must(api.call('events', 'list'));
  t.deepEqual(
    all.data.map(({ event }) => event),
    ['run.started', 'task.ready'],
  );
  const page = await must(api.call('events', 'list', { query: { events: ['task.ready'], limit: 1 } }));
  t.like(page, { data: [{ event: 'task.ready' }], hasMore: false });
  const { status, body } = await api.raw('GET', '/events?events=task.ready,task.gone');
  t.is(status, 400);
  t.regex(JSON.stringify(body), /events\[1\]/);
});

test('a migration says who has the tasks that it adds, and that they are ready', async (t) => {
  const { api, ada } = await staffed();
  const { templateId } = await publishProcess(api);
  const run = await launchRun(api, templateId);
  const body = { title: 'Added', assigneeId: ada.id };
  await must(api.call('templates.tasks', 'create', { params: { id: templateId }, body }));
  await must(api.call('templates', 'publish', { params: { id: templateId } }));
  await must(api.call('runs', 'migrateToLatest', { params: { id: run.id } }));
  t.deepEqual(inShort(await feedOf(api)).slice(1), [
    ['task.assigned', 'Added', 'Ada'],
    ['task.ready', 'Added', 'Ada'],
  ]);
});
