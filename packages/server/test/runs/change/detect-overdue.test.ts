import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { EventName } from '@runward/contract';
import { verifyChain } from '@runward/engine';
import { readActivity } from '@runward/testing/activity';
import type { Api } from '@runward/testing/api';
import { useApp } from '@runward/testing/app';
import { newOrganization } from '@runward/testing/organization';
import { getRun, launchRun, must, publishProcess } from '@runward/testing/process';
import { startReceiver } from '@runward/testing/receiver';
import { until } from '@runward/testing/until';
import test from 'ava';
import { inTransaction } from '../../../src/database/transaction.ts';
import { detectOverdue } from '../../../src/runs/change/detect-overdue.ts';
import { Activity } from '../../../src/runs/entities/activity.ts';
import { RunTask } from '../../../src/runs/entities/run-task.ts';
import { Run } from '../../../src/runs/entities/run.ts';
import { lockRun } from '../../../src/runs/store/lock.ts';
import { isRejected } from '../../support/expect-rejection.ts';
import { passDeadlines } from '../../support/time.ts';

const app = useApp(test);

const detect = (notify = () => {}) => detectOverdue({ database: app.database, dispatcher: { notify } });

/** Runs whose every task is due in an hour, and a function that moves the deadlines into the past. */
async function dueRuns(api: Api, count: number, tasks = ['Only task']) {
  const { templateId } = await publishProcess(
    api,
    tasks.map((title) => ({ title, due: { from: 'LAUNCH' as const, offset: 'PT1H' } })),
  );
  const ids: string[] = [];
  for (let n = 0; n < count; n += 1) ids.push((await launchRun(api, templateId)).id);
  return { ids, pass: () => passDeadlines(app.database, ids) };
}

async function setDueDate(api: Api, taskId: string, dueAt: string | null, dueAtHasTime = true) {
  await must(api.call('runs.tasks', 'setDueDate', { params: { taskId }, body: { dueAt, dueAtHasTime } }));
}

/** What was said of lateness in a run, oldest first. */
async function said(runId: string): Promise<string[]> {
  const rows = await app.database.em.fork().find(Activity, { runId }, { orderBy: { sequence: 'asc' } });
  return rows.map(({ type }) => type).filter((type) => /overdue|on_time/.test(type));
}

test.serial('a run is overdue once its deadline has passed, and its webhooks hear of it', async (t) => {
  await using receiver = await startReceiver();
  const { api } = await newOrganization(app);
  await must(
    api.call('webhooks', 'create', { body: { name: 'Hook', url: receiver.url, enabledEvents: ['task.overdue'] } }),
  );
  const { ids, pass } = await dueRuns(api, 1, ['One', 'Two']);
  const [id = ''] = ids;
  await detect();
  t.is((await getRun(api, id)).status, 'RUNNING');

  await pass();
  let nudges = 0;
  await detect(() => {
    nudges += 1;
    app.dispatcher.notify();
  });
  t.is(nudges, 1);
  t.is((await getRun(api, id)).status, 'OVERDUE');
  t.deepEqual(await said(id), ['task.overdue', 'task.overdue', 'run.overdue']);
  const [activity] = await app.database.em.fork().find(Activity, { runId: id, type: 'task.overdue' });
  t.like(activity, { actorType: 'SYSTEM', actorUserId: null, actorApiKeyId: null });
  const { head, lines } = await readActivity(api, id);
  t.is(verifyChain(lines, head), null);
  await receiver.wait(2);
  const events = receiver.received.map(({ body }) => (JSON.parse(body) as { event: string }).event);
  t.deepEqual(events, ['task.overdue', 'task.overdue']);

  await detect();
  t.is((await said(id)).length, 3);
});

test.serial('a run that becomes overdue stays stalled until it is worked on', async (t) => {
  const { api } = await newOrganization(app);
  const { ids, pass } = await dueRuns(api, 1);
  const [id = ''] = ids;
  await pass();
  const threeDaysAgo = new Date(Date.now() - 3 * 86_400_000);
  await inTransaction(app.database, (em) => em.nativeUpdate(Run, { id }, { lastActivityAt: threeDaysAgo }));
  const stalled = async () => (await must(api.call('runs', 'list', { query: { stalledForDays: 2 } }))).total;
  t.is(await stalled(), 1);

  await detect();
  t.is((await getRun(api, id)).status, 'OVERDUE');
  t.is(await stalled(), 1);

  await setDueDate(api, (await getRun(api, id)).byTitle('Only task').runTaskId, null);
  t.is((await getRun(api, id)).status, 'RUNNING');
  t.is(await stalled(), 0);
});

test.serial('detectors that run at the same time say it once', async (t) => {
  const { api } = await newOrganization(app);
  const { ids, pass } = await dueRuns(api, 12);
  await pass();
  await Promise.all([detect(), detect(), detect()]);
  await detect();
  for (const id of ids) t.deepEqual(await said(id), ['task.overdue', 'run.overdue']);
});

test.serial('a new deadline is said anew', async (t) => {
  const { api } = await newOrganization(app);
  const { ids, pass } = await dueRuns(api, 1);
  const [id = ''] = ids;
  await pass();
  await detect();
  const { byTitle } = await getRun(api, id);
  await setDueDate(api, byTitle('Only task').runTaskId, new Date(Date.now() + 3_600_000).toISOString());
  t.is((await getRun(api, id)).status, 'RUNNING');
  await pass();
  await detect();
  t.is((await getRun(api, id)).status, 'OVERDUE');
  t.deepEqual(await said(id), ['task.overdue', 'run.overdue', 'run.on_time', 'task.overdue', 'run.overdue']);
});

test.serial(
  'a run that a time zone change makes on time is said to be overdue again when it is late again',
  async (t) => {
    const { dueAt, over, lasting } = dayBetween(new Date());
    const { api, session } = await newOrganization(app, { timeZone: lasting });
    const owner = await session();
    const { id, byTitle } = await launchRun(api, (await publishProcess(api)).templateId);
    await setDueDate(api, byTitle('Only task').runTaskId, dueAt, false);
    const move = (timezone: string) => must(owner.call('organization', 'update', { body: { timezone } }));
    const status = async () => (await getRun(api, id)).status;
    await detect();
    t.is(await status(), 'RUNNING');

    for (let round = 0; round < 2; round += 1) {
      await move(over);
      await detect();
      t.is(await status(), 'OVERDUE');
      await move(lasting);
      t.is(await status(), 'RUNNING');
    }
    const round = ['task.overdue', 'run.overdue', 'run.on_time'];
    t.deepEqual(await said(id), [...round, ...round]);
  },
);

test.serial('an organization whose rows another cell has or gets is left alone until that is over', async (t) => {
  const { api, organizationId } = await newOrganization(app);
  const { ids, pass } = await dueRuns(api, 1);
  const [id = ''] = ids;
  await pass();
  await app.provision.query(
    `insert into organization_moves (organization_id, other_schema, step, step_at) values ($1, 'cell2', 'DRAINING', now())`,
    [organizationId],
  );
  await detect();
  t.deepEqual(await said(id), []);
  await app.provision.query('delete from organization_moves where organization_id = $1', [organizationId]);
  await detect();
  t.deepEqual(await said(id), ['task.overdue', 'run.overdue']);
});

test.serial('a run that is being changed is left to the next time, and holds nobody up', async (t) => {
  const { api, organizationId } = await newOrganization(app);
  const { ids, pass } = await dueRuns(api, 2);
  const [held = '', free = ''] = ids;
  await pass();
  await inTransaction(app.database, async (em) => {
    await lockRun(em, organizationId, { runId: held });
    // Waiting for the lock would fail after the lock timeout.
    await detect();
    t.deepEqual([await said(held), await said(free)], [[], ['task.overdue', 'run.overdue']]);
  });
  await detect();
  t.deepEqual(await said(held), ['task.overdue', 'run.overdue']);
});

test.serial(
  'runs that stay due, and runs that fail, neither hold up others nor keep the detection going',
  async (t) => {
    const { api } = await newOrganization(app);
    const { ids, pass } = await dueRuns(api, 2);
    const [broken = '', good = ''] = ids;
    const { templateId } = await publishProcess(api);
    const idle: string[] = [];
    for (let n = 0; n < 100; n += 1) idle.push((await launchRun(api, templateId)).id);
    await pass();
    const em = app.database.em.fork();
    // A whole batch has nothing to say although it counts as due, as after a mistake elsewhere; another run cannot be
    // read.
    await em.nativeUpdate(Run, { id: { $in: idle } }, { nextDeadlineAt: new Date(0) });
    await em.nativeUpdate(RunTask, { runId: broken }, { taskId: randomUUID() });
    em.shared((caches) => caches).clear();

    const error = await t.throwsAsync(detect(), { instanceOf: AggregateError });
    t.regex(error?.message ?? '', /^The detection of overdue tasks failed for 1 runs/);
    t.deepEqual(await said(idle[0] ?? ''), []);
    t.deepEqual(await said(good), ['task.overdue', 'run.overdue']);
    await em.nativeUpdate(Run, { id: { $in: [...idle, broken] } }, { nextDeadlineAt: null });
  },
);

test.serial('more runs than one batch are all looked at, in all organizations', async (t) => {
  const one = await newOrganization(app);
  const other = await newOrganization(app);
  const { ids, pass } = await dueRuns(one.api, 110);
  const more = await dueRuns(other.api, 2);
  await Promise.all([pass(), more.pass()]);
  await detect();
  const em = app.database.em.fork();
  t.is(await em.count(Run, { id: { $in: [...ids, ...more.ids] }, status: 'OVERDUE' }), 112);
});

test.serial('a signal ends the detection between two runs', async (t) => {
  const { api } = await newOrganization(app);
  const webhook = { name: 'Hears of it', url: 'http://127.0.0.1:9/', enabledEvents: ['task.overdue' as const] };
  await must(api.call('webhooks', 'create', { body: webhook }));
  const { ids, pass } = await dueRuns(api, 20);
  await pass();
  const stopping = new AbortController();
  await detectOverdue({
    database: app.database,
    dispatcher: { notify: () => stopping.abort() },
    signal: stopping.signal,
  });
  const overdue = await app.database.em.fork().count(Run, { id: { $in: ids }, status: 'OVERDUE' });
  t.true(overdue >= 1 && overdue < 10, `${overdue} of 20`);
});

/** A time whose day has ended in one zone and continues for at least an hour in another, whatever the current time. */
function dayBetween(now: Date): { dueAt: string; over: string; lasting: string } {
  const hour = now.getUTCHours();
  const midnight = hour <= 10 ? -hour : 24 - hour;
  const zone = (offset: number) => `Etc/GMT${offset > 0 ? '-' : '+'}${Math.abs(offset)}`;
  const dueAt = new Date(Math.floor(now.getTime() / 3_600_000) * 3_600_000 - 60_000).toISOString();
  return { dueAt, over: zone(midnight), lasting: zone(midnight - 2) };
}

/** The reminders in the feed of an organization. */
async function remindersOf(api: Api) {
  const events: EventName[] = ['task.due_soon', 'approval.due_soon'];
  const { data } = await must(api.call('events', 'list', { query: { events } }));
  const titled = data.map(({ event, data: { taskTitle } }) => `${event}: ${String(taskTitle)}`);
  return { data, titled };
}

test.serial('a deadline that is near is reported once, to approvers as well if the task waits for them', async (t) => {
  const { api, ...org } = await newOrganization(app);
  const ada = await org.member('Ada');
  await must((await org.session()).call('organization', 'update', { body: { remindBefore: 'PT59M59S' } }));
  const due = { from: 'LAUNCH', offset: 'PT1H' } as const;
  const { templateId } = await publishProcess(api, [
    { title: 'Order', due },
    { title: 'Sign', due, approval: { approverIds: [ada.id] } },
    { title: 'Early', due: { ...due, remindBefore: 'PT10M' } },
    { title: 'Quiet', due: { ...due, remindBefore: 'PT0S' } },
  ]);
  const run = await launchRun(api, templateId);
  const { runTaskId } = run.byTitle('Sign');
  const { id: executionEntryId } = await must(api.call('execution', 'open', { body: { runTaskId } }));
  await pause(1_100);
  for (let round = 0; round < 2; round += 1) await detect();

  const { data, titled } = await remindersOf(api);
  t.deepEqual(titled, ['task.due_soon: Order', 'task.due_soon: Sign', 'approval.due_soon: Sign']);
  t.like(data[2]?.data, {
    executionEntryId,
    assignee: null,
    approvers: [{ id: ada.id, name: 'Ada', email: ada.email }],
    approverGroups: [],
    actorUserId: null,
  });
  t.is((await getRun(api, run.id)).status, 'RUNNING');
});

test.serial('the organization changes when its open tasks are due soon', async (t) => {
  const { api, ...org } = await newOrganization(app);
  const session = await org.session();
  const { templateId } = await publishProcess(api, [{ title: 'Order', due: { from: 'LAUNCH', offset: 'PT1H' } }]);
  const { deadlineAt } = (await launchRun(api, templateId)).byTitle('Order');
  await detect();
  t.deepEqual((await remindersOf(api)).titled, []);
  const seconds = Math.floor((Date.parse(deadlineAt ?? '') - Date.now()) / 1_000) - 3;
  await must(session.call('organization', 'update', { body: { remindBefore: `PT${seconds}S` } }));
  const reminded = async () => {
    await detect();
    return (await remindersOf(api)).titled[0];
  };
  t.is(await until(reminded, 'the reminder'), 'task.due_soon: Order');
  await isRejected(t, session.raw('PATCH', '/organization', { body: { remindBefore: 'a day' } }), 400, [
    'remindBefore: must be an ISO 8601 duration like P3D or PT12H',
  ]);
});
