import { filterQuery, runStatuses, scopes, type FilterSet } from '@runward/contract';
import type { Api } from '@runward/testing/api';
import { useApp } from '@runward/testing/app';
import { newOrganization, type TestOrganization } from '@runward/testing/organization';
import { getRun, launchRun, must, publishProcess } from '@runward/testing/process';
import test, { type ExecutionContext } from 'ava';
import * as fc from 'fast-check';
import { inTransaction } from '../../../src/database/transaction.ts';
import { detectOverdue } from '../../../src/runs/change/detect-overdue.ts';
import { checkCounters } from '../../../src/runs/queries/check-counters.ts';
import { foldBatch, foldCounters } from '../../../src/runs/queries/fold-counters.ts';
import { connectTo } from '../../support/database/connect.ts';
import { onOnePostgres } from '../../support/database/on-one-postgres.ts';
import { recordStatements, scansOf } from '../../support/database/statements.ts';
import { passDeadlines } from '../../support/time.ts';

const app = useApp(test);

const due = [{ title: 'Only task', due: { from: 'LAUNCH' as const, offset: 'PT1H' } }];
const fold = () => foldCounters(app.database.em.fork(), new AbortController().signal);

/** The number of runs that match, counted one by one. */
async function countRows(organizationId: string, { archived = false, templateIds, statuses }: FilterSet) {
  const rows = await app.provision.query<{ status: string; count: number }>(
    `select status, count(*)::int as count from runs
     where organization_id = $1 and (archived_at is not null) = $2 and ($3::uuid[] is null or template_id = any($3))
       and ($4::text[] is null or status = any($4))
     group by status`,
    [organizationId, archived, templateIds ?? null, statuses ?? null],
  );
  const counts = new Map(rows.map(({ status, count }) => [status, count]));
  const byStatus = runStatuses.map((status) => [status, counts.get(status) ?? 0] as const);
  return { ...Object.fromEntries(byStatus), total: byStatus.reduce((sum, [, count]) => sum + count, 0) };
}

/** The changes of an organization that were not folded yet. */
const changesOf = ({ organizationId }: TestOrganization) =>
  app.provision.query<{ change: number }>('select change from run_counter_changes where organization_id = $1', [
    organizationId,
  ]);

async function expectExact(t: ExecutionContext, api: Api, organizationId: string, filters: FilterSet) {
  const expected = await countRows(organizationId, filters);
  t.deepEqual(await must(api.call('runs', 'counts', { query: filterQuery(filters) })), expected as never);
  t.deepEqual(await must(api.call('savedViews', 'preview', { body: { filters } })), expected as never);
  const { total } = await must(api.call('runs', 'list', { query: { ...filterQuery(filters), limit: 1 } }));
  t.is(total, expected['total']);
}

// The tests are serial, because a fold skips changes that another fold has locked, whatever their organization.
test.serial('counts and totals are exact after any commands, folded or not', async (t) => {
  const org = await newOrganization(app);
  const { api, organizationId } = org;
  const folder = await must(api.call('folders', 'create', { body: { name: 'Folder' } }));
  const filed = await publishProcess(api, due, { folderId: folder.id });
  const unfiled = await publishProcess(api, due);
  const templateIds = [filed.templateId, unfiled.templateId];
  const one = await org.key({ scopes, resourceMode: 'SELECTED_TEMPLATES', scopedTemplateIds: [unfiled.templateId] });
  const inFolder = await org.key({ scopes, resourceMode: 'SELECTED_FOLDERS', scopedFolderIds: [folder.id] });
  const runIds: string[] = [];
  const which = (index: number) => runIds[index % runIds.length] ?? '';
  const params = (index: number) => ({ params: { id: which(index) } });
  // Commands that the state of the run rejects change nothing, which is a case of its own.
  const commands: Readonly<Record<string, (index: number) => Promise<unknown>>> = {
    launch: async (index) => void runIds.push((await launchRun(api, templateIds[index % 2] ?? '')).id),
    launchSeveral: async (index) => {
      const runs = Array.from({ length: 1 + (index % 5) }, (_, n) => ({ templateId: templateIds[n % 2] ?? '' }));
      const { results } = await must(api.call('runs', 'bulkLaunch', { body: { runs } }));
      runIds.push(...results.flatMap(({ run }) => run?.id ?? []));
    },
    cancel: (index) => api.call('runs', 'cancel', params(index)),
    reopen: (index) => api.call('runs', 'reopen', params(index)),
    rename: (index) => api.call('runs', 'update', { ...params(index), body: { title: 'Other' } }),
    complete: async (index) => {
      const { runTaskId: taskId } = (await getRun(api, which(index))).byTitle('Only task');
      return api.call('runs.tasks', 'setStatus', { params: { taskId }, body: { status: 'COMPLETED' } });
    },
    archive: (index) =>
      api.call('runs', 'archive', { body: { runIds: [...new Set([which(index), which(index + 1)])] } }),
    unarchive: (index) => api.call('runs', 'unarchive', { body: { runIds: [which(index)] } }),
    overdue: async (index) => {
      await passDeadlines(app.database, [which(index)]);
      await detectOverdue({ database: app.database, dispatcher: app.dispatcher });
    },
    fold,
  };
  for (let n = 0; n < 3; n += 1) await commands['launch']?.(n);
  const command = fc.record({ name: fc.constantFrom(...Object.keys(commands)), index: fc.nat(1_000) });
  await fc.assert(
    fc.asyncProperty(fc.array(command, { minLength: 5, maxLength: 12 }), async (steps) => {
      for (const { name, index } of steps) await commands[name]?.(index);
      for (const archived of [false, true]) {
        await expectExact(t, api, organizationId, { archived });
        await expectExact(t, api, organizationId, { archived, statuses: ['OVERDUE', 'CANCELLED'], templateIds });
        await expectExact(t, one, organizationId, { archived, templateIds: [unfiled.templateId] });
        const inFiled = await countRows(organizationId, { archived, templateIds: [filed.templateId] });
        const query = { archived, folderIds: [folder.id] };
        t.deepEqual(await must(api.call('runs', 'counts', { query })), inFiled as never);
        t.deepEqual(await must(inFolder.call('runs', 'counts', { query: { archived } })), inFiled as never);
      }
      t.deepEqual(await checkCounters(app.database.em.fork(), organizationId), []);
    }),
    { numRuns: 8, seed: 1 },
  );
  await fold();
  t.deepEqual(await changesOf(org), []);
  t.deepEqual(await checkCounters(app.database.em.fork(), organizationId), []);
});

test.serial('the total of a list is exact on every page while runs are changed and counters folded', async (t) => {
  const org = await newOrganization(app);
  const { api, organizationId } = org;
  const { templateId } = await publishProcess(api);
  const working = Promise.all(
    Array.from({ length: 6 }, async (_, worker) => {
      for (let n = 0; n < 8; n += 1) {
        const { id } = await launchRun(api, templateId);
        if (n % 2 === 0) await must(api.call('runs', 'cancel', { params: { id } }));
        if (n % 4 === 0 && worker % 2 === 0) await must(api.call('runs', 'archive', { body: { runIds: [id] } }));
      }
    }),
  );
  const work = new AbortController();
  const done = working.finally(() => work.abort());
  const repeat = async (step: () => Promise<unknown>) => {
    do await step();
    while (!work.signal.aborted);
  };
  const read = async () => {
    const { data, total } = await must(api.call('runs', 'list', { query: { limit: 200 } }));
    t.is(total, data.length);
  };
  await Promise.all([done, repeat(read), repeat(fold), repeat(fold)]);
  t.deepEqual(await checkCounters(app.database.em.fork(), organizationId), []);
  await fold();
  t.deepEqual(await changesOf(org), []);
  t.deepEqual(await must(api.call('runs', 'counts')), (await countRows(organizationId, {})) as never);
});

test.serial('nobody waits for a fold, and one that is killed has changed nothing', async (t) => {
  const org = await newOrganization(app);
  const { api, organizationId } = org;
  const { templateId } = await publishProcess(api);
  const { id } = await launchRun(api, templateId);
  await fold();
  await must(api.call('runs', 'cancel', { params: { id } }));
  await launchRun(api, templateId);
  const before = (await changesOf(org)).length;
  const isKilled = inTransaction(app.database, async (em) => {
    const [{ pid } = { pid: 0 }] = await em.execute<{ pid: number }[]>('select pg_backend_pid() as pid');
    t.is(await foldBatch(em, organizationId), before);
    t.is(await foldBatch(app.database.em.fork(), organizationId), 0, 'another process finds nothing to fold');
    await must(api.call('runs', 'reopen', { params: { id } }));
    await launchRun(api, templateId);
    t.like(await must(api.call('runs', 'counts')), { RUNNING: 3, total: 3 });
    await app.provision.query('select pg_terminate_backend($1::int)', [pid]);
    await foldBatch(em, organizationId);
  });
  await t.throwsAsync(isKilled);
  t.true((await changesOf(org)).length > before);
  t.like(await must(api.call('runs', 'counts')), { RUNNING: 3, total: 3 });
  await fold();
  t.deepEqual(await changesOf(org), []);
  t.like(await must(api.call('runs', 'counts')), { RUNNING: 3, total: 3 });
});

test.serial('changes of many runs are one change per counter', async (t) => {
  const org = await newOrganization(app);
  const { api } = org;
  const { templateId } = await publishProcess(api);
  const runs = Array.from({ length: 30 }, () => ({ templateId }));
  const { results } = await must(api.call('runs', 'bulkLaunch', { body: { runs } }));
  const runIds = results.flatMap(({ run }) => run?.id ?? []);
  t.deepEqual(await changesOf(org), [{ change: 30 }]);
  for (const id of runIds.slice(0, 2)) await must(api.call('runs', 'cancel', { params: { id } }));
  await fold();
  await must(api.call('runs', 'archive', { body: { runIds: runIds.slice(0, 2) } }));
  await must(api.call('runs', 'update', { params: { id: runIds[3] ?? '' }, body: { title: 'Other' } }));
  t.deepEqual(
    (await changesOf(org)).map(({ change }) => change).sort((one, other) => one - other),
    [-2, 2],
  );
});

onOnePostgres(
  'filters that only name status, template, folder and archived are answered without reading runs',
  async (t) => {
    const { api } = await newOrganization(app);
    const { templateId } = await publishProcess(api);
    await launchRun(api, templateId);
    const folder = await must(api.call('folders', 'create', { body: { name: 'Folder' } }));
    const client = await connectTo(t, app.databaseUrl);
    const tablesOf = async (query: FilterSet) => {
      const recorded = recordStatements();
      await must(api.call('runs', 'counts', { query: filterQuery(query) }));
      recorded.stop();
      const counting = recorded.texts().filter((text) => /group by "run"."status"/.test(text));
      t.is(counting.length, 1);
      return [...new Set((await scansOf(client, counting[0] ?? '')).map(({ table }) => table))].sort();
    };
    const counted: FilterSet = {
      statuses: ['RUNNING'],
      templateIds: [templateId],
      folderIds: [folder.id],
      archived: true,
    };
    t.deepEqual(await tablesOf(counted), ['run_counter_changes', 'run_counters', 'templates']);
    t.deepEqual(await tablesOf({}), ['run_counter_changes', 'run_counters']);
    t.true((await tablesOf({ ...counted, search: 'a' })).includes('runs'));
  },
);
