import { randomUUID } from 'node:crypto';
import { filterQuery, runSorts, runStatuses, scopes, type FilterSet, type RunStatus } from '@runward/contract';
import type { Api } from '@runward/testing/api';
import { useApp } from '@runward/testing/app';
import { newOrganization } from '@runward/testing/organization';
import { must, publishProcess } from '@runward/testing/process';
import test from 'ava';
import * as fc from 'fast-check';
import { newIdAt } from '../../../src/ids.ts';
import { isRejected } from '../../support/expect-rejection.ts';
import { boundedTotal } from './bounded-total.ts';

const countedItems = 3;
const app = useApp(test, { limits: { countedItems } });

/** A run as the reference sees it. */
interface Known {
  readonly id: string;
  readonly title: string;
  readonly status: RunStatus;
  readonly templateId: string;
  readonly ownerUserId: string;
  readonly assigneeId: string;
  readonly scheduledDateLocal: string;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly idleDays: number;
  readonly archived: boolean;
}

const timeZone = 'Pacific/Auckland';
const words = ['Alpha 100%', 'alpha_beta', 'BETA \\ gamma', 'Über Äpfel', '10,5 units', 'Gamma'];
const dates = ['2030-01-01', '2030-01-02', '2030-01-03', '2030-04-07'];
/** On both sides of midnight in the time zone, also on the day of 25 hours. */
const instants = ['2029-12-31T10:59:59.999Z', '2029-12-31T11:00:00.000Z', '2030-01-02T10:59:59.000Z'].concat(
  ['2030-01-02T11:00:00.001Z', '2030-04-06T10:59:59.999Z', '2030-04-06T11:00:00.000Z', '2030-04-07T11:59:59.999Z'],
  ['2030-04-07T12:00:00.000Z'],
);

const arbitraryRun = fc.record({
  title: fc.constantFrom(...words),
  status: fc.constantFrom(...runStatuses),
  template: fc.nat(2),
  owner: fc.nat(1),
  assignee: fc.nat(1),
  scheduledDateLocal: fc.constantFrom(...dates),
  createdAt: fc.constantFrom(...instants),
  updatedAt: fc.constantFrom(...instants),
  idleDays: fc.nat(3),
  archived: fc.boolean(),
});

/** Three templates, the first two in a folder each; members; runs in random states. */
async function newSetting() {
  const org = await newOrganization(app, { timeZone });
  const { api, organizationId } = org;
  const folders: string[] = [];
  for (const name of ['One', 'Two']) folders.push((await must(api.call('folders', 'create', { body: { name } }))).id);
  const templates: string[] = [];
  for (const folderId of [...folders, undefined]) {
    templates.push((await publishProcess(api, undefined, folderId === undefined ? {} : { folderId })).templateId);
  }
  const members = [(await org.member('Ada')).id, (await org.member('Bo')).id];
  const at = <Item>(items: readonly Item[], index: number): Item => items[index] as Item;

  const sketches = fc.sample(arbitraryRun, { numRuns: 60, seed: 1 });
  const runs: Known[] = [];
  const launched: string[] = [];
  for (const { template, owner, assignee, ...sketch } of sketches) {
    const templateId = at(templates, template);
    const { id } = await must(api.call('runs', 'launch', { body: { templateId, title: sketch.title } }));
    launched.push(id);
    runs.push({
      ...sketch,
      id: newIdAt(new Date(sketch.createdAt)),
      templateId,
      ownerUserId: at(members, owner),
      assigneeId: at(members, assignee),
    });
  }
  // What a test cannot do through the API in good time: days pass, and runs are changed at chosen instants. Ids carry
  // the time of the launch.
  const known = JSON.stringify(runs.map((run, index) => ({ ...run, launched: launched[index] })));
  const records = `jsonb_to_recordset($1::jsonb) known (id uuid, launched uuid, "updatedAt" timestamptz)`;
  await app.provision.query(
    `with task as (update run_tasks set run_id = known.id from ${records} where organization_id = $2 and run_id = launched),
      line as (update activity set run_id = known.id, at = known."updatedAt" from ${records} where organization_id = $2 and run_id = launched)
    update runs set id = known.id from ${records} where organization_id = $2 and runs.id = launched`,
    [known, organizationId],
  );
  await app.provision.query(
    `with known as materialized (
      select *, now() - make_interval(days => "idleDays", hours => 1) as "lastActivityAt",
        case when archived then now() end as "archivedAt"
      from jsonb_to_recordset($1::jsonb) known (id uuid, status text, "ownerUserId" uuid, "createdAt" timestamptz,
        "scheduledDateLocal" date, "updatedAt" timestamptz, "idleDays" int, archived boolean))
    update runs set status = known.status, owner_user_id = known."ownerUserId", created_at = known."createdAt",
      scheduled_date_local = known."scheduledDateLocal", updated_at = known."updatedAt",
      last_activity_at = known."lastActivityAt", archived_at = known."archivedAt"
    from known
    where runs.organization_id = $2 and runs.id = known.id`,
    [known, organizationId],
  );
  await app.provision.query(
    `update run_tasks set assignee_id = known."assigneeId"
    from jsonb_to_recordset($1::jsonb) known (id uuid, "assigneeId" uuid)
    where run_tasks.organization_id = $2 and run_id = known.id`,
    [known, organizationId],
  );
  await app.provision.fixCounters(organizationId);
  return { org, folders, templates, members, runs };
}

const localDay = new Intl.DateTimeFormat('en-CA', { timeZone, dateStyle: 'short' });

/** Whether a run matches: the meaning of every filter, written down once more. */
function matches(run: Known, filters: FilterSet, folderOf: ReadonlyMap<string, string>): boolean {
  const day = localDay.format(new Date(run.createdAt));
  const isActive = run.status === 'RUNNING' || run.status === 'OVERDUE';
  return (
    run.archived === (filters.archived ?? false) &&
    (filters.statuses?.includes(run.status) ?? true) &&
    (filters.templateIds?.includes(run.templateId) ?? true) &&
    (filters.folderIds?.includes(folderOf.get(run.templateId) ?? '') ?? true) &&
    (filters.ownerUserIds?.includes(run.ownerUserId) ?? true) &&
    (filters.assigneeIds?.includes(run.assigneeId) ?? true) &&
    run.scheduledDateLocal >= (filters.scheduledFrom ?? '') &&
    run.scheduledDateLocal <= (filters.scheduledTo ?? '9') &&
    day >= (filters.createdFrom ?? '') &&
    day <= (filters.createdTo ?? '9') &&
    (filters.stalledForDays === undefined || (isActive && run.idleDays >= filters.stalledForDays)) &&
    run.title.toLowerCase().includes((filters.search ?? '').trim().toLowerCase())
  );
}

/** The list on all its pages. */
async function listAll(api: Api, query: object): Promise<{ ids: string[]; total: number }> {
  const ids: string[] = [];
  for (let cursor: string | null = ''; ;) {
    const paged: object = { ...query, limit: 7, ...(cursor && { cursor }) };
    const page: { data: { id: string }[]; total: number; nextCursor: string | null } = await must(
      api.call('runs', 'list', { query: paged }),
    );
    ids.push(...page.data.map(({ id }) => id));
    cursor = page.nextCursor;
    if (cursor === null) return { ids, total: page.total };
  }
}

/** The filters by which the counters know how many runs there are. */
const countedFilters = new Set(['statuses', 'templateIds', 'folderIds', 'archived']);

const isSorted = (values: readonly string[]) =>
  values.every((value, index) => index === 0 || at(values, index - 1) <= value);
const at = (values: readonly string[], index: number) => values[index] ?? '';

test('list, total, counts, export, preview and view agree with a reference for every filter and resource scope', async (t) => {
  const { org, folders, templates, members, runs } = await newSetting();
  const folderOf = new Map(folders.map((folder, index) => [at(templates, index), folder]));
  const byId = new Map(runs.map((run) => [run.id, run]));
  const restricted = [at(templates, 0), at(templates, 2)];
  const callers = [
    { api: org.api, templates, folders },
    {
      api: await org.key({ scopes, resourceMode: 'SELECTED_TEMPLATES', scopedTemplateIds: restricted }),
      templates: restricted,
      folders: folders.slice(0, 1),
    },
    {
      api: await org.key({ scopes, resourceMode: 'SELECTED_FOLDERS', scopedFolderIds: folders.slice(1) }),
      templates: templates.slice(1, 2),
      folders: folders.slice(1),
    },
  ];
  const some = <Item>(...items: Item[]) => fc.uniqueArray(fc.constantFrom(...items), { minLength: 1 });
  const range = fc.uniqueArray(fc.constantFrom(...dates), { minLength: 2, maxLength: 2 }).map((pair) => pair.sort());
  const arbitrary = fc.record({
    caller: fc.constantFrom(...callers),
    sort: fc.option(fc.constantFrom(...runSorts), { nil: undefined }),
    scheduled: range,
    created: range,
    which: fc.subarray(['scheduledFrom', 'scheduledTo', 'createdFrom', 'createdTo']),
    others: fc.record(
      {
        statuses: some(...runStatuses),
        templateIds: some(...templates),
        folderIds: some(...folders),
        ownerUserIds: some(...members),
        assigneeIds: some(...members),
        stalledForDays: fc.nat(4),
        search: fc.constantFrom('ALPHA', '%', '_', '\\', 'ü', 'ä', ',', 'beta', 'nothing', 'a'),
        archived: fc.boolean(),
      },
      { requiredKeys: [] },
    ),
  });
  let counted = 0;
  let forbidden = 0;
  await fc.assert(
    fc.asyncProperty(arbitrary, async ({ caller, sort, scheduled, created, which, others }) => {
      const { api } = caller;
      const ranges = {
        scheduledFrom: scheduled[0],
        scheduledTo: scheduled[1],
        createdFrom: created[0],
        createdTo: created[1],
      };
      const filters: FilterSet = {
        ...others,
        ...Object.fromEntries(Object.entries(ranges).filter(([name]) => which.includes(name))),
      };
      const body = { filters };
      const isReachable =
        (filters.templateIds ?? []).every((id) => caller.templates.includes(id)) &&
        (filters.folderIds ?? []).every((id) => caller.folders.includes(id));
      if (!isReachable) {
        forbidden += 1;
        t.is((await api.call('runs', 'list', { query: filterQuery(filters) })).status, 403);
        t.is((await api.call('runs', 'counts', { query: filterQuery(filters) })).status, 403);
        t.is((await api.call('savedViews', 'preview', { body })).status, 403);
        return;
      }
      const expected = runs.filter(
        (run) => caller.templates.includes(run.templateId) && matches(run, filters, folderOf),
      );
      const ids = expected.map(({ id }) => id).sort();
      counted += ids.length;
      const list = await listAll(api, { ...filters, ...(sort && { sort }) });
      t.deepEqual([...list.ids].sort(), ids, JSON.stringify(filters));
      t.is(list.total, ids.length);
      const bounded = { ...filters, ...(sort && { sort }), limit: 2, total: 'bounded' } as object;
      const { total, totalIsExact } = await must(api.call('runs', 'list', { query: bounded }));
      const isKnown = Object.keys(filters).every((name) => countedFilters.has(name));
      t.deepEqual({ total, totalIsExact }, boundedTotal(ids.length, isKnown ? Infinity : countedItems));
      if (sort === undefined || !sort.endsWith('title')) {
        const property = (sort ?? '-createdAt').replace('-', '') as 'createdAt' | 'updatedAt' | 'scheduledDateLocal';
        const keys = list.ids.map((id) => (property === 'createdAt' ? '' : (byId.get(id)?.[property] ?? '')) + id);
        t.true(isSorted(sort === undefined || sort.startsWith('-') ? keys.toReversed() : keys), sort);
      }

      const counts = await must(api.call('runs', 'counts', { query: filterQuery(filters) }));
      const count = (status: RunStatus) => expected.filter((run) => run.status === status).length;
      const byStatus = Object.fromEntries(runStatuses.map((status) => [status, count(status)]));
      t.deepEqual(counts, { ...byStatus, total: ids.length } as typeof counts);
      t.deepEqual(await must(api.call('savedViews', 'preview', { body })), counts);
      const view = await must(api.call('savedViews', 'create', { body: { ...body, name: 'View' } }));
      const params = { id: view.id };
      t.deepEqual(view.filters, filters);
      const inView = await must(api.call('savedViews', 'runs', { params }));
      t.deepEqual(inView.data.map(({ id }) => id).sort(), ids);
      t.is(inView.total, ids.length);
      t.is((await api.call('savedViews', 'delete', { params })).status, 204);
      const csv = await api.raw(
        'GET',
        `/runs/export/csv?${new URLSearchParams(filters as Record<string, string>).toString()}`,
      );
      t.is(String(csv.body).split('\r\n').length - 2, ids.length);
    }),
    { numRuns: 60 },
  );
  t.true(counted > 0 && forbidden > 0, `${counted} runs, ${forbidden} refusals`);
});

test('a bounded total is that of the limit with every filter that more runs match, unless the counters know it', async (t) => {
  const { org, folders, templates, members } = await newSetting();
  const totalOf = async (query: object) => {
    const { total, totalIsExact } = await must(org.api.call('runs', 'list', { query: { ...query, limit: 1 } }));
    return { total, ...(totalIsExact !== undefined && { totalIsExact }) };
  };
  const known = [{}, { statuses: [...runStatuses] }, { templateId: at(templates, 0) }, { folderIds: folders }];
  const filters = [
    { ownerUserIds: members },
    { assigneeIds: members },
    { scheduledDate: at(dates, 0) },
    { scheduledFrom: at(dates, 1) },
    { scheduledTo: at(dates, 2) },
    { createdFrom: at(dates, 0) },
    { createdTo: at(dates, 3) },
    { stalledForDays: 1 },
    { search: 'a' },
    { updatedAfter: at(instants, 1) },
    { status: 'RUNNING', scheduledTo: at(dates, 3), sort: 'title' },
  ];
  const all = [
    ...known.map((query) => ({ query, most: Infinity })),
    ...filters.map((query) => ({ query, most: countedItems })),
  ];
  for (const { query, most } of all) {
    const { total } = await totalOf(query);
    t.true(total > countedItems, `${JSON.stringify(query)}: ${total}`);
    t.deepEqual(await totalOf({ ...query, total: 'bounded' }), boundedTotal(total, most), JSON.stringify(query));
  }
  t.deepEqual(await totalOf({ search: 'nothing', total: 'bounded' }), { total: 0, totalIsExact: true });
});

test('filters of a template list are those of all lists; mistakes are named with their path', async (t) => {
  const { api } = await newOrganization(app);
  const { templateId: id } = await publishProcess(api);
  const launch = async (title: string) =>
    (await must(api.call('runs', 'launch', { body: { templateId: id, title } }))).id;
  const [beta, alpha, gamma] = [await launch('Beta'), await launch('alpha'), await launch('Gamma')];
  const list = async (query: object) =>
    (await must(api.call('templates.runs', 'list', { params: { id }, query }))).data.map((run) => run.id);
  t.deepEqual(await list({ sort: 'title' }), [alpha, beta, gamma]);
  t.deepEqual(await list({ sort: '-title', search: 'TA' }), [beta]);
  const [upper, lower] = [await launch('ΚΏΣΤΑΣ'), await launch('κώστας')];
  for (const search of ['ΚΏΣ', 'κώς', 'τας']) t.deepEqual(await list({ sort: 'createdAt', search }), [upper, lower]);
  t.deepEqual(await list({ statuses: 'OVERDUE,CANCELLED' }), []);
  const repeated = await api.raw('GET', `/templates/${id}/runs?statuses=RUNNING&statuses=OVERDUE`);
  t.like(repeated.body, { total: 5 });

  const unknown = randomUUID();
  const filters = { templateIds: [id, unknown], folderIds: [unknown], ownerUserIds: [unknown], assigneeIds: [unknown] };
  const ranges = {
    scheduledFrom: '2030-01-02',
    scheduledTo: '2030-01-01',
    createdFrom: '2030-01-02',
    createdTo: '2030-01-01',
  };
  const problems = [
    'templateIds[1]: not a template of this organization; see GET /templates',
    'folderIds[0]: not a folder of this organization; see GET /folders',
    'ownerUserIds[0]: not a member of this organization; see GET /users',
    'assigneeIds[0]: not a member of this organization; see GET /users',
    'scheduledTo: must not be before scheduledFrom',
    'createdTo: must not be before createdFrom',
  ];
  const query = { ...filters, ...ranges };
  await isRejected(t, api.call('runs', 'list', { query }), 400, problems);
  await isRejected(t, api.call('runs', 'counts', { query }), 400, problems);
  await isRejected(t, api.call('templates.runs', 'list', { params: { id }, query }), 400, problems);
  const inBody = problems.map((problem) => `filters.${problem}`);
  await isRejected(t, api.call('savedViews', 'preview', { body: { filters: query } }), 400, inBody);
  await isRejected(t, api.call('savedViews', 'create', { body: { name: 'View', filters: query } }), 400, inBody);
  t.is((await must(api.call('savedViews', 'list'))).total, 0);
  for (const wrong of [
    'statuses=',
    'statuses=DONE',
    'templateIds=x',
    'createdFrom=2030-02-30',
    'search=',
    'sort=name',
  ]) {
    t.is((await api.raw('GET', `/runs?${wrong}`)).status, 400, wrong);
  }
});
