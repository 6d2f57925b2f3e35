import { addMember } from '@runward/testing/members';
import { newOrganization } from '@runward/testing/organization';
import { getRun, launchRun, must, publishProcess } from '@runward/testing/process';
import { useSharedApp } from '@runward/testing/use-shared-app';
import test from 'ava';
import { isRejected } from '../support/expect-rejection.ts';

const app = useSharedApp(test);

const problem = 'a member with the role VIEWER, which cannot hold tasks; name another member, or change the role';

/** An organization with a viewer, and a run with one task. */
async function withViewer() {
  const org = await newOrganization(app);
  const owner = await org.session();
  const viewer = await addMember(app.baseUrl, owner, { role: 'VIEWER' });
  const { templateId } = await publishProcess(org.api, [{ title: 'A' }]);
  const run = await launchRun(org.api, templateId);
  return { org, owner, viewer, templateId, run, taskId: run.tasks[0]?.runTaskId ?? '' };
}

test('a task of a run that is assigned to a viewer is a 400 that names the field, and stays as it is', async (t) => {
  const { org, owner, viewer, run, taskId } = await withViewer();
  const { api } = org;
  const body = { assigneeId: viewer.id };
  const expected = [`assigneeId: ${problem}`];
  const before = JSON.stringify(await getRun(api, run.id));
  await isRejected(t, api.call('runs.tasks', 'setAssignee', { params: { taskId }, body }), 400, expected);
  const bulk = { taskIds: [taskId], ...body };
  await isRejected(t, api.call('runs.tasks', 'bulkUpdate', { body: bulk }), 400, expected);
  const from = { params: { id: org.ownerUserId }, body };
  await isRejected(t, owner.call('users', 'handOver', from), 400, expected);
  t.is(JSON.stringify(await getRun(api, run.id)), before);
});

test('a viewer cannot be the assignee or an approver in a draft, its rules, or by a change of many tasks', async (t) => {
  const { org, viewer, templateId } = await withViewer();
  const { api } = org;
  const params = { id: templateId };
  const draft = await must(api.call('templates.draft', 'get', { params }));
  const [task] = draft.tasks;
  if (!task) throw new Error('The draft has no task.');
  const named = { params: { id: templateId, taskId: task.id } };
  const assigneeId = viewer.id;
  const approval = { approverIds: [org.ownerUserId, viewer.id] };
  const create = api.call('templates.tasks', 'create', { params, body: { title: 'B', assigneeId, approval } });
  await isRejected(t, create, 400, [`assigneeId: ${problem}`, `approval.approverIds[1]: ${problem}`]);
  await isRejected(t, api.call('templates.tasks', 'update', { ...named, body: { assigneeId } }), 400, [
    `assigneeId: ${problem}`,
  ]);
  const changes = { taskIds: [task.id], changes: { assigneeId } };
  await isRejected(t, api.call('templates.tasks', 'bulkUpdate', { params, body: changes }), 400, [
    `changes.assigneeId: ${problem}`,
  ]);
  const rule = {
    match: 'ALL' as const,
    conditions: [{ source: { type: 'VARIABLE' as const, key: 'region' }, operator: 'EQUALS' as const, value: 'EU' }],
    actions: [{ type: 'ASSIGN' as const, taskId: task.id, assigneeId }],
  };
  await must(api.call('templates.variables', 'create', { params, body: { key: 'region' } }));
  await isRejected(t, api.call('templates.rules', 'create', { ...named, body: rule }), 400, [
    `actions[0].assigneeId: ${problem}`,
  ]);
  const tasks = [...draft.tasks, { title: 'B', assigneeId }];
  await isRejected(t, api.call('templates.draft', 'replace', { params, body: { ...draft, tasks } }), 400, [
    `tasks[1].assigneeId: ${problem}`,
  ]);
  t.deepEqual((await must(api.call('templates.draft', 'get', { params }))).tasks, draft.tasks);
});

test('a draft whose approver became a viewer is not published, until the member has another role', async (t) => {
  const { org, owner, templateId } = await withViewer();
  const { api } = org;
  const member = await addMember(app.baseUrl, owner);
  const params = { id: templateId };
  const body = { title: 'B', approval: { approverIds: [member.id] } };
  await must(api.call('templates.tasks', 'create', { params, body }));
  const become = (role: 'VIEWER' | 'GUEST') =>
    must(owner.call('users', 'update', { params: { id: member.id }, body: { role } }));
  await become('VIEWER');
  await isRejected(t, api.call('templates', 'publish', { params }), 400, [
    `tasks[1].approval.approverIds[0]: ${problem}`,
  ]);
  await become('GUEST');
  t.is((await api.call('templates', 'publish', { params })).status, 200);
});

test('members of all other roles can be assigned, and a viewer may be in a group that is', async (t) => {
  const { org, owner, viewer, taskId } = await withViewer();
  const params = { taskId };
  for (const role of ['OWNER', 'ADMIN', 'MEMBER', 'GUEST'] as const) {
    const { id: assigneeId } = await addMember(app.baseUrl, owner, { role });
    const assigned = await org.api.call('runs.tasks', 'setAssignee', { params, body: { assigneeId } });
    t.is(assigned.status, 204, role);
  }
  const { id: assigneeGroupId } = await must(
    owner.call('groups', 'create', { body: { name: 'Readers', memberIds: [viewer.id] } }),
  );
  const body = { assigneeId: null, assigneeGroupId };
  t.is((await org.api.call('runs.tasks', 'setAssignee', { params, body })).status, 204);
  const completed = await viewer.session.call('runs.tasks', 'setStatus', { params, body: { status: 'COMPLETED' } });
  t.is(completed.status, 403);
});
