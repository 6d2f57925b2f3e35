import { randomUUID } from 'node:crypto';
import { newOrganization, type TestOrganization } from '@runward/testing/organization';
import { getRun, launchRun, must, publishProcess } from '@runward/testing/process';
import { useSharedApp } from '@runward/testing/use-shared-app';
import test from 'ava';
import { holdRow } from '../support/database/hold-row.ts';
import { isRejected } from '../support/expect-rejection.ts';
import { newGroup } from '../support/templates.ts';

const app = useSharedApp(test);

test('open tasks are those of active runs, oldest first, in pages', async (t) => {
  const { org, owner, member, runs } = await assignedRuns();
  const [first, second, ended, done] = runs;
  await must(org.api.call('runs', 'cancel', { params: { id: ended.id } }));
  const taskId = done.byTitle('Theirs').runTaskId;
  await must(org.api.call('runs.tasks', 'setStatus', { params: { taskId }, body: { status: 'COMPLETED' } }));

  const read = (query: { limit?: number; cursor?: string }) =>
    must(owner.call('users', 'openTasks', { params: { id: member.id }, query }));
  const page = await read({ limit: 1 });
  const rest = await read({ cursor: page.nextCursor ?? '' });
  t.deepEqual([page.total, page.hasMore, rest.hasMore], [2, true, false]);
  t.deepEqual(
    [...page.data, ...rest.data],
    [first, second].map((run) => ({
      runTaskId: run.byTitle('Theirs').runTaskId,
      title: 'Theirs',
      dueAt: run.byTitle('Theirs').dueAt,
      runId: run.id,
      runTitle: run.title,
      templateId: run.templateId,
    })),
  );
  t.truthy(page.data[0]?.dueAt);
});

test('all open tasks are handed over together, and the activity of each run records by whom', async (t) => {
  const { org, owner, member, runs } = await assignedRuns();
  const [first, , ended] = runs;
  await must(org.api.call('runs', 'cancel', { params: { id: ended.id } }));
  t.is((await owner.call('users', 'delete', { params: { id: member.id } })).status, 204);
  const colleague = await org.member('Colleague');
  const handOver = (id: string, body: object) => owner.raw('POST', `/users/${id}/hand-over`, { body });

  t.deepEqual((await handOver(member.id, { assigneeId: colleague.id })).body, { handedOver: 3 });
  const run = await getRun(org.api, first.id);
  t.like(run.byTitle('Theirs'), { assigneeId: colleague.id, assigneeGroupId: null });
  t.like(run.byTitle('Mine'), { assigneeId: null });
  t.like((await getRun(org.api, ended.id)).byTitle('Theirs'), { assigneeId: member.id });
  const { data } = await must(org.api.call('runs', 'activity', { params: { id: first.id } }));
  t.like(data[0], { type: 'task.assigned', actor: { type: 'USER', userId: org.ownerUserId } });
  t.is((await must(owner.call('users', 'openTasks', { params: { id: member.id } }))).total, 0);
  t.deepEqual((await handOver(member.id, { assigneeId: colleague.id })).body, { handedOver: 0 });

  const groupId = await newGroup(app, org.organizationId);
  t.deepEqual((await handOver(colleague.id, { assigneeGroupId: groupId })).body, { handedOver: 3 });
  t.like((await getRun(org.api, first.id)).byTitle('Theirs'), { assigneeId: null, assigneeGroupId: groupId });
});

test('the tasks of all runs are handed over atomically', async (t) => {
  const org = await newOrganization(app);
  const owner = await org.session();
  const [member, colleague] = [await org.member('Member'), await org.member('Colleague')];
  const sketch = ['A', 'B', 'C'].map((title) => ({ title, assigneeId: member.id }));
  const { templateId } = await publishProcess(org.api, sketch);
  const [first, second] = [await launchRun(org.api, templateId), await launchRun(org.api, templateId)];
  const assignees = async (id: string) => (await getRun(org.api, id)).tasks.map(({ assigneeId }) => assigneeId);

  const body = { assigneeId: colleague.id };
  const release = await holdRow(app, 'runs', second.id);
  const call = owner.call('users', 'handOver', { params: { id: member.id }, body });
  const winner = await Promise.race([call, new Promise((resolve) => setTimeout(resolve, 400, 'waits'))]);
  t.is(winner, 'waits');
  t.deepEqual(await assignees(first.id), Array(3).fill(member.id));
  await release();
  t.deepEqual((await call).body, { handedOver: 6 });
  for (const { id } of [first, second]) t.deepEqual(await assignees(id), Array(3).fill(colleague.id));
  const { total } = await must(org.api.call('runs', 'activity', { params: { id: first.id } }));
  t.is(total, 4);
});

test('tasks can only be handed over to another active member or a group', async (t) => {
  const org = await newOrganization(app);
  const other = await newOrganization(app);
  const owner = await org.session();
  const [member, gone] = [await org.member('Member'), await org.member('Gone')];
  await must(owner.call('users', 'delete', { params: { id: gone.id } }));
  const send = (body: object) => owner.raw('POST', `/users/${member.id}/hand-over`, { body });

  const inactive = ['assigneeId: not an active member of this organization; see GET /users'];
  await isRejected(t, send({ assigneeId: member.id }), 400, [
    'assigneeId: has these tasks already; name somebody else',
  ]);
  for (const id of [gone.id, other.ownerUserId, randomUUID()])
    await isRejected(t, send({ assigneeId: id }), 400, inactive);
  const foreign = await newGroup(app, other.organizationId);
  await isRejected(t, send({ assigneeGroupId: foreign }), 400, [
    'assigneeGroupId: not a group of this organization; see GET /groups',
  ]);
  for (const body of [{}, { assigneeId: null }, { assigneeId: gone.id, assigneeGroupId: foreign }]) {
    await isRejected(t, send(body), 400, ['body: must contain exactly one of assigneeId and assigneeGroupId']);
  }
});

/** Four runs with a task of a member and one of nobody's. */
async function assignedRuns() {
  const org: TestOrganization = await newOrganization(app);
  const owner = await org.session();
  const member = await org.member('Member');
  const { templateId } = await publishProcess(org.api, [
    { title: 'Mine' },
    { title: 'Theirs', assigneeId: member.id, due: { from: 'LAUNCH', offset: 'P3D' } },
  ]);
  const launch = () => launchRun(org.api, templateId);
  const runs = [await launch(), await launch(), await launch(), await launch()] as const;
  return { org, owner, member, runs };
}
