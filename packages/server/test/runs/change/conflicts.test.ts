import { newOrganization } from '@runward/testing/organization';
import { getRun, launchRun, must, publishProcess } from '@runward/testing/process';
import { until } from '@runward/testing/until';
import { useSharedApp } from '@runward/testing/use-shared-app';
import test from 'ava';
import type { Client } from 'pg';
import { connectTo } from '../../support/database/connect.ts';
import { untilOthersWait } from '../../support/database/locks.ts';
import { onOnePostgres } from '../../support/database/on-one-postgres.ts';
import { whileOther } from '../../support/database/while-other.ts';
import { isRejected } from '../../support/expect-rejection.ts';
import { isFolded } from '../../support/folded-run.ts';

const app = useSharedApp(test);

test('runs are changed together on what others have done to one of them meanwhile, or none is', async (t) => {
  const { api, organizationId } = await newOrganization(app);
  const { templateId } = await publishProcess(api);
  const cancelled = async () => {
    const { id } = await launchRun(api, templateId);
    await must(api.call('runs', 'cancel', { params: { id } }));
    return id;
  };
  const runIds = [await cancelled(), await cancelled(), await cancelled()] as const;
  const archive = () => api.call('runs', 'archive', { body: { runIds: [...runIds] } });
  // The call locks one run after the other, so that it waits for the first one while the second one is changed.
  const archiveAfter = (meanwhile: () => Promise<unknown>) =>
    whileOther(
      app,
      (client) =>
        client.query('select from runs where organization_id = $1 and id = $2 for update', [organizationId, runIds[0]]),
      archive,
      { meanwhile },
    );
  const archived = async () => Promise.all(runIds.map(async (id) => (await getRun(api, id)).archivedAt !== null));

  const reopening = () => must(api.call('runs', 'reopen', { params: { id: runIds[1] } }));
  await isRejected(t, archiveAfter(reopening), 400, [
    'runIds[1]: The run "Process" is RUNNING; complete or cancel it first.',
  ]);
  t.deepEqual(await archived(), [false, false, false]);

  await must(api.call('runs', 'cancel', { params: { id: runIds[1] } }));
  const archiving = () => must(api.call('runs', 'archive', { body: { runIds: [runIds[1]] } }));
  t.is((await must(archiveAfter(archiving))).archived, 2);
  t.deepEqual(await archived(), [true, true, true]);
  for (const id of runIds) await isFolded(t, app, organizationId, id);
});

test('a run is not reopened if its template is deleted meanwhile', async (t) => {
  const { api, organizationId } = await newOrganization(app);
  const { templateId: id } = await publishProcess(api);
  const run = await launchRun(api, id);
  const params = { id: run.id };
  await must(api.call('runs', 'cancel', { params }));
  const deletion = async (client: Client) => {
    await client.query('select from templates where organization_id = $1 and id = $2 for update', [organizationId, id]);
    await client.query('update templates set deleted_at = now() where organization_id = $1 and id = $2', [
      organizationId,
      id,
    ]);
  };
  await isRejected(
    t,
    whileOther(app, deletion, () => api.call('runs', 'reopen', { params })),
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
  const deactivation = (client: Client) =>
    client.query(`update users set status = 'DEACTIVATED' where organization_id = $1 and id = $2`, [
      organizationId,
      id,
    ]);
  await isRejected(
    t,
    whileOther(app, deactivation, () => api.call('runs.tasks', 'setAssignee', { params, body: { assigneeId: id } })),
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
