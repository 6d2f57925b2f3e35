import type { Api } from '@runward/testing/api';
import { newOrganization } from '@runward/testing/organization';
import { getRun, launchRun, must } from '@runward/testing/process';
import { useSharedApp } from '@runward/testing/use-shared-app';
import test from 'ava';
import { isRejected } from '../support/expect-rejection.ts';
import { publishDraft } from '../support/templates.ts';

const app = useSharedApp(test);

const complete = (api: Api, taskId: string) =>
  api.call('runs.tasks', 'setStatus', { params: { taskId }, body: { status: 'COMPLETED' } });

test('a task is BLOCKED until the tasks it depends on are completed', async (t) => {
  const { api } = await newOrganization(app);
  const due = { from: 'UNBLOCKED', offset: 'P1D' } as const;
  const templateId = await publishDraft(api, [
    { id: 'new:pack', title: 'Pack' },
    { title: 'Ship', dependencies: ['new:pack'], due },
    { title: 'Bill' },
  ]);
  const run = await launchRun(api, templateId);
  const [pack, ship] = [run.byTitle('Pack'), run.byTitle('Ship')];
  t.like(ship, { status: 'BLOCKED', blockedBy: [pack.runTaskId], dueAt: null });
  t.like(pack, { status: 'PENDING', blockedBy: [] });
  await isRejected(
    t,
    complete(api, ship.runTaskId),
    400,
    'The task "Ship" is blocked by "Pack"; complete them first, or unblock the task.',
    'task_blocked',
  );

  await must(complete(api, pack.runTaskId));
  const unblocked = (await getRun(api, run.id)).byTitle('Ship');
  t.like(unblocked, { status: 'PENDING', blockedBy: [] });
  t.not(unblocked.dueAt, null);

  await must(api.call('runs.tasks', 'setStatus', { params: { taskId: pack.runTaskId }, body: { status: 'PENDING' } }));
  t.like((await getRun(api, run.id)).byTitle('Ship'), { status: 'BLOCKED', dueAt: null });
  const { data } = await must(api.call('runs', 'activity', { params: { id: run.id } }));
  t.deepEqual(
    data.map(({ type }) => type),
    [
      'task.due_date_changed',
      'task.blocked',
      'task.reopened',
      'task.due_date_changed',
      'task.unblocked',
      'task.completed',
      'run.started',
    ],
  );
});

test('a task that was unblocked by force can be completed', async (t) => {
  const { api } = await newOrganization(app);
  const templateId = await publishDraft(api, [
    { id: 'new:pack', title: 'Pack' },
    { title: 'Ship', dependencies: ['new:pack'] },
  ]);
  const run = await launchRun(api, templateId);
  const unblock = (title: string) =>
    api.call('runs.tasks', 'forceUnblock', { params: { taskId: run.byTitle(title).runTaskId } });
  await isRejected(t, unblock('Pack'), 400, 'The task "Pack" is PENDING, not BLOCKED.');
  t.like(await must(unblock('Ship')), { runTaskId: run.byTitle('Ship').runTaskId, status: 'PENDING', blockedBy: [] });
  t.like(await must(unblock('Ship')), { status: 'PENDING' });
  const dependencies = () => api.call('runs', 'dependencies', { params: { id: run.id } });
  t.deepEqual((await must(dependencies())).data, [
    {
      runTaskId: run.byTitle('Pack').runTaskId,
      taskId: run.byTitle('Pack').taskId,
      title: 'Pack',
      status: 'PENDING',
      blockedBy: [],
      blocks: [],
      forceUnblocked: false,
    },
    {
      runTaskId: run.byTitle('Ship').runTaskId,
      taskId: run.byTitle('Ship').taskId,
      title: 'Ship',
      status: 'PENDING',
      blockedBy: [],
      blocks: [],
      forceUnblocked: true,
    },
  ]);
  await must(complete(api, run.byTitle('Ship').runTaskId));
  t.is((await getRun(api, run.id)).byTitle('Ship').status, 'COMPLETED');
});
