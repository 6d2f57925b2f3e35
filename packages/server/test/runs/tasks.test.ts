import { randomUUID } from 'node:crypto';
import { newOrganization, type TestOrganization } from '@runward/testing/organization';
import { getRun, launchRun, must, publishProcess } from '@runward/testing/process';
import { useSharedApp } from '@runward/testing/use-shared-app';
import test from 'ava';
import { newGroup } from '../support/templates.ts';
import { zoneAtNoon } from '../support/time.ts';

const app = useSharedApp(test);

async function oneRun(org: TestOrganization) {
  const { templateId } = await publishProcess(org.api, [
    { title: 'Form', fields: [{ label: 'Name', type: 'TEXT', required: true }] },
    { title: 'Other' },
  ]);
  return launchRun(org.api, templateId);
}

test('direct status skips the form, and setting it again changes nothing', async (t) => {
  const org = await newOrganization(app);
  const { api, ownerUserId } = org;
  const run = await oneRun(org);
  const params = { taskId: run.byTitle('Form').runTaskId };

  t.is((await api.call('runs.tasks', 'setStatus', { params, body: { status: 'COMPLETED' } })).status, 204);
  t.like((await getRun(api, run.id)).byTitle('Form'), { status: 'COMPLETED', completedByUserId: ownerUserId });
  const { total } = await must(api.call('runs', 'activity', { params: { id: run.id } }));
  t.is((await api.call('runs.tasks', 'setStatus', { params, body: { status: 'COMPLETED' } })).status, 204);
  t.is((await must(api.call('runs', 'activity', { params: { id: run.id } }))).total, total);

  t.is((await api.call('runs.tasks', 'setStatus', { params, body: { status: 'PENDING' } })).status, 204);
  t.like((await getRun(api, run.id)).byTitle('Form'), { status: 'PENDING', completedAt: null });
  t.is((await api.raw('PATCH', `/runs/tasks/${params.taskId}/status`, { body: { status: 'BLOCKED' } })).status, 400);
  t.is((await api.raw('PATCH', `/runs/tasks/${params.taskId}/status`, { body: {} })).status, 400);
});

test('a run without required tasks completes with its last task; a reopened run does not complete with an optional task', async (t) => {
  const org = await newOrganization(app);
  const { api } = org;
  const statusAfter = async (id: string, taskId: string) => {
    await must(api.call('runs.tasks', 'setStatus', { params: { taskId }, body: { status: 'COMPLETED' } }));
    return (await getRun(api, id)).status;
  };
  const optional = [
    { title: 'First', required: false },
    { title: 'Second', required: false },
  ];
  const { templateId } = await publishProcess(api, optional);
  const run = await launchRun(api, templateId);
  t.is(await statusAfter(run.id, run.byTitle('First').runTaskId), 'RUNNING');
  t.is(await statusAfter(run.id, run.byTitle('Second').runTaskId), 'COMPLETED');

  const mixed = await publishProcess(api, [{ title: 'Required' }, ...optional]);
  const other = await launchRun(api, mixed.templateId);
  t.is(await statusAfter(other.id, other.byTitle('Required').runTaskId), 'COMPLETED');
  await must(api.call('runs', 'reopen', { params: { id: other.id } }));
  t.is(await statusAfter(other.id, other.byTitle('First').runTaskId), 'RUNNING');
  t.is(await statusAfter(other.id, other.byTitle('Second').runTaskId), 'RUNNING');
});

test('a due date can be set, made date-only and cleared; a past one makes the run overdue at once', async (t) => {
  const org = await newOrganization(app, { timeZone: zoneAtNoon() });
  const { api } = org;
  const run = await oneRun(org);
  const params = { taskId: run.byTitle('Other').runTaskId };
  const set = (body: { dueAt: string | null; dueAtHasTime?: boolean }) =>
    api.call('runs.tasks', 'setDueDate', { params, body });
  const read = async () => {
    const now = await getRun(api, run.id);
    return { ...now.byTitle('Other'), runStatus: now.status };
  };

  t.is((await set({ dueAt: '2035-03-01T12:00:00+01:00' })).status, 204);
  t.like(await read(), { dueAt: '2035-03-01T11:00:00.000Z', dueAtHasTime: true, runStatus: 'RUNNING' });
  t.is((await set({ dueAt: '2035-03-01T12:00:00Z', dueAtHasTime: false })).status, 204);
  t.like(await read(), { dueAtHasTime: false });
  t.is((await set({ dueAt: '2020-01-01T00:00:00Z' })).status, 204);
  t.like(await read(), { dueAtHasTime: false, runStatus: 'OVERDUE' });
  // Due some time today means not yet overdue while the day lasts.
  const soon = new Date(Date.now() - 1000).toISOString();
  t.is((await set({ dueAt: soon, dueAtHasTime: false })).status, 204);
  t.like(await read(), { dueAt: soon, runStatus: 'RUNNING' });
  t.is((await set({ dueAt: null })).status, 204);
  t.like(await read(), { dueAt: null, runStatus: 'RUNNING' });
  t.is((await set({ dueAt: '2035-03-01T12:00:00Z' })).status, 204);
  t.like(await read(), { dueAtHasTime: true });
  for (const body of [
    {},
    { dueAt: 'tomorrow' },
    { dueAt: '2030-01-01' },
    { dueAt: '0000-01-01T00:00:00Z' },
    { dueAt: 5 },
  ]) {
    const answer = await api.raw('PATCH', `/runs/tasks/${params.taskId}/due-date`, { body });
    t.is(answer.status, 400, JSON.stringify(body));
    t.regex([answer.error.message].flat()[0] ?? '', /^dueAt: /);
  }
});

test('a task is assigned to a member or a group of the organization, or to no one', async (t) => {
  const org = await newOrganization(app);
  const other = await newOrganization(app);
  const { api } = org;
  const ada = await org.member('Ada');
  const stranger = await other.member('Stranger');
  const group = { id: await newGroup(app, org.organizationId) };
  const run = await oneRun(org);
  const params = { taskId: run.byTitle('Other').runTaskId };
  const assign = (body: object) => api.raw('PATCH', `/runs/tasks/${params.taskId}/assignee`, { body });
  const read = async () => {
    const { assigneeId, assigneeGroupId } = (await getRun(api, run.id)).byTitle('Other');
    return [assigneeId, assigneeGroupId];
  };

  t.is((await assign({ assigneeId: ada.id })).status, 204);
  t.deepEqual(await read(), [ada.id, null]);
  t.is((await assign({ assigneeGroupId: group.id })).status, 204);
  t.deepEqual(await read(), [null, group.id]);
  t.is((await assign({ assigneeId: null })).status, 204);
  t.deepEqual(await read(), [null, group.id]);
  t.is((await assign({ assigneeId: ada.id })).status, 204);
  t.is((await assign({ assigneeGroupId: null })).status, 204);
  t.deepEqual(await read(), [ada.id, null]);
  t.is((await assign({ assigneeId: null, assigneeGroupId: null })).status, 204);
  t.deepEqual(await read(), [null, null]);
  for (const body of [
    {},
    { assigneeId: stranger.id },
    { assigneeId: randomUUID() },
    { assigneeGroupId: randomUUID() },
    { assigneeId: ada.id, assigneeGroupId: group.id },
    { assigneeId: 'ada' },
  ]) {
    t.is((await assign(body)).status, 400, JSON.stringify(body));
  }
  t.deepEqual(await read(), [null, null]);
});

test('tasks of a finished run or of another organization cannot be changed', async (t) => {
  const org = await newOrganization(app);
  const other = await newOrganization(app);
  const run = await oneRun(org);
  const params = { taskId: run.byTitle('Other').runTaskId };
  t.is((await other.api.call('runs.tasks', 'setStatus', { params, body: { status: 'COMPLETED' } })).status, 404);
  t.is((await other.api.call('runs.tasks', 'setDueDate', { params, body: { dueAt: null } })).status, 404);
  t.is((await other.api.call('runs.tasks', 'setAssignee', { params, body: { assigneeId: null } })).status, 404);

  await must(org.api.call('runs', 'cancel', { params: { id: run.id } }));
  const rejected = await org.api.call('runs.tasks', 'setStatus', { params, body: { status: 'COMPLETED' } });
  t.is(rejected.status, 400);
  t.is(rejected.error.code, 'run_terminal');
  t.is(rejected.error.message, 'The run is CANCELLED; reopen it first.');
});
