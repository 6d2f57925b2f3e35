import type { Command } from '@runward/engine';
import { useApp } from '@runward/testing/app';
import { newOrganization, type TestOrganization } from '@runward/testing/organization';
import { getRun, launchRun, must, publishProcess } from '@runward/testing/process';
import { until } from '@runward/testing/until';
import test from 'ava';
import { system } from '../../../src/access/actor.ts';
import type { Em } from '../../../src/database/database.ts';
import { lockRow } from '../../../src/database/lock-row.ts';
import { inTransaction } from '../../../src/database/transaction.ts';
import { User } from '../../../src/organization/entities/user.ts';
import { decideAndSave } from '../../../src/runs/change/decide-and-save.ts';
import { loadRun } from '../../../src/runs/store/load.ts';
import { Template } from '../../../src/templates/entities/template.ts';
import { connectTo } from '../../support/database/connect.ts';
import { untilOthersWait } from '../../support/database/locks.ts';
import { onOnePostgres } from '../../support/database/on-one-postgres.ts';
import { isRejected } from '../../support/expect-rejection.ts';
import { isFolded } from '../../support/folded-run.ts';

const app = useApp(test);

/** Makes a call that waits for another transaction, which ends after `work`. */
async function whileOther<Result>(work: (em: Em) => Promise<void>, call: () => Promise<Result>): Promise<Result> {
  const { waiting } = await inTransaction(app.database, async (em) => {
    await work(em);
    const waiting = call();
    await untilOthersWait((text) => em.execute(text));
    // In an object: the transaction would wait for a promise before it commits.
    return { waiting };
  });
  return waiting;
}

/** A command on a run that another transaction commits later. */
const uncommitted =
  ({ organizationId }: TestOrganization, runId: string, command: Command) =>
  async (em: Em): Promise<void> => {
    const run = await loadRun(em, organizationId, { runId }, { forms: true });
    const decision = run && (await decideAndSave(em, run, command, system, { now: new Date() }));
    if (decision?.rejection !== null) throw new Error(`Expected a change: ${decision?.rejection.message}`);
  };

test('runs are changed together on what others have done to one of them meanwhile, or none is', async (t) => {
  const org = await newOrganization(app);
  const { api, organizationId } = org;
  const { templateId } = await publishProcess(api);
  const cancelled = async () => {
    const { id } = await launchRun(api, templateId);
    await must(api.call('runs', 'cancel', { params: { id } }));
    return id;
  };
  const runIds = [await cancelled(), await cancelled(), await cancelled()] as const;
  const archive = () => api.call('runs', 'archive', { body: { runIds: [...runIds] } });
  const archived = async () => Promise.all(runIds.map(async (id) => (await getRun(api, id)).archivedAt !== null));

  const reopening = uncommitted(org, runIds[1], { type: 'reopen' });
  await isRejected(t, whileOther(reopening, archive), 400, [
    'runIds[1]: The run "Process" is RUNNING; complete or cancel it first.',
  ]);
  t.deepEqual(await archived(), [false, false, false]);

  await must(api.call('runs', 'cancel', { params: { id: runIds[1] } }));
  const archiving = uncommitted(org, runIds[1], { type: 'archive' });
  t.is((await must(whileOther(archiving, archive))).archived, 2);
  t.deepEqual(await archived(), [true, true, true]);
  for (const id of runIds) await isFolded(t, app, organizationId, id);
});

test('a run is not reopened if its template is deleted meanwhile', async (t) => {
  const { api, organizationId } = await newOrganization(app);
  const { templateId: id } = await publishProcess(api);
  const run = await launchRun(api, id);
  const params = { id: run.id };
  await must(api.call('runs', 'cancel', { params }));
  const deletion = async (em: Em) => {
    await lockRow(em, Template, { organizationId, id }, 'update');
    await em.nativeUpdate(Template, { organizationId, id }, { deletedAt: new Date() });
  };
  await isRejected(
    t,
    whileOther(deletion, () => api.call('runs', 'reopen', { params })),
    400,
    'The template of the run was deleted; its runs cannot be reopened.',
  );
  t.is((await getRun(api, run.id)).status, 'CANCELLED');
});

test('a task is not assigned to a member who is being deactivated', async (t) => {
  const { organizationId, api, ...org } = await newOrganization(app);
  const { id } = await org.member('Ada');
  const { templateId } = await publishProcess(api);
  const run = await launchRun(api, templateId);
  const params = { taskId: run.tasks[0]?.runTaskId ?? '' };
  const deactivation = async (em: Em) => {
    await lockRow(em, User, { organizationId, id }, 'no key update');
    await em.nativeUpdate(User, { organizationId, id }, { status: 'DEACTIVATED' });
  };
  await isRejected(
    t,
    whileOther(deactivation, () => api.call('runs.tasks', 'setAssignee', { params, body: { assigneeId: id } })),
    400,
    ['assigneeId: not an active member of this organization; see GET /users'],
  );
  t.is((await getRun(api, run.id)).tasks[0]?.assigneeId, null);
});

onOnePostgres('a command is decided again after a deadlock', async (t) => {
  const org = await newOrganization(app);
  const { templateId } = await publishProcess(org.api);
  const run = await launchRun(org.api, templateId);
  const taskId = run.tasks[0]?.runTaskId ?? '';
  const connect = async () => {
    const client = await connectTo(t, app.databaseUrl);
    await client.query('begin');
    return client;
  };
  const [holder, other] = [await connect(), await connect()];
  const lockRun = 'select from runs where id = $1 for update';
  await holder.query(lockRun, [run.id]);
  // Only the connection of the command looks for deadlocks, so that its statement is the one that PostgreSQL ends.
  await other.query(`set local deadlock_timeout = '10min'`);
  await other.query('select from run_tasks where id = $1 for update', [taskId]);

  const completing = org.api.call('runs.tasks', 'setStatus', { params: { taskId }, body: { status: 'COMPLETED' } });
  await untilOthersWait(async (text) => (await holder.query(text)).rows);
  const { rows } = await other.query<{ pid: number }>('select pg_backend_pid() as pid');
  const locking = other.query(lockRun, [run.id]);
  await until(
    async () => (await holder.query('select from pg_locks where pid = $1 and not granted', [rows[0]?.pid])).rowCount,
    'the other transaction to wait behind the command',
  );
  // The command locks the run, which the other waits for, and then waits for the task, which the other has locked.
  await holder.query('rollback');
  await locking;
  await other.query('rollback');

  await must(completing);
  t.is((await getRun(org.api, run.id)).status, 'COMPLETED');
  await isFolded(t, app, org.organizationId, run.id);
});
