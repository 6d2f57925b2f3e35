import { scopes, type TaskStatus } from '@runward/contract';
import type { Api } from '@runward/testing/api';
import { useApp } from '@runward/testing/app';
import { newOrganization } from '@runward/testing/organization';
import { getRun, launchRun, must } from '@runward/testing/process';
import test from 'ava';
import * as fc from 'fast-check';
import { publishDraft } from '../../support/templates.ts';
import { boundedTotal } from './bounded-total.ts';

const countedItems = 2;
const app = useApp(test, { limits: { countedItems } });

/** The filters of the list, as they are sent. */
interface Filter {
  readonly assigneeId?: string;
  readonly assigneeGroupId?: string;
  readonly status?: TaskStatus[];
  readonly dueAfter?: string;
  readonly dueBefore?: string;
  readonly overdue?: boolean;
  readonly templateId?: string;
  readonly runId?: string;
}

const names = [
  'assigneeId',
  'assigneeGroupId',
  'status',
  'dueAfter',
  'dueBefore',
  'overdue',
  'templateId',
  'runId',
] as const;
const statuses: TaskStatus[] = ['PENDING', 'BLOCKED', 'PENDING_APPROVAL', 'COMPLETED'];
const day = 86_400_000;
const at = <Item>(items: readonly Item[], index: number) => items[index % items.length] as Item;
/** Deadlines are half a day and some days away, so that none passes during the test. */
const origin = Date.now() - day / 2;
const instantIn = (days: number) => new Date(origin + days * day).toISOString();

/** A template with a task that depends on another, one that a rule shows, and deadlines of all kinds. */
const draft = [
  {
    title: 'Ask',
    fields: [{ id: 'new:mode', label: 'Mode', type: 'TEXT' as const }],
    rules: [
      {
        conditions: [
          { source: { type: 'FIELD' as const, fieldId: 'new:mode' }, operator: 'EQUALS' as const, value: 'Air' },
        ],
        actions: [{ type: 'SHOW' as const, taskIds: ['new:customs'] }],
      },
    ],
  },
  { id: 'new:customs', title: 'Customs', due: { from: 'LAUNCH' as const, offset: 'P2D' } },
  { id: 'new:pack', title: 'Pack', due: { from: 'LAUNCH' as const, offset: 'P1D' } },
  { title: 'Ship', dependencies: ['new:pack'] },
  { title: 'Bill' },
];

/** Runs of two templates, one in a folder, after random commands. */
async function newSetting() {
  const org = await newOrganization(app);
  const { api } = org;
  const folder = await must(api.call('folders', 'create', { body: { name: 'Folder' } }));
  const templates = [await publishDraft(api, draft), await publishDraft(api, draft)];
  await must(api.call('templates', 'update', { params: { id: at(templates, 0) }, body: { folderId: folder.id } }));
  const group = await must((await org.session()).call('groups', 'create', { body: { name: 'Group', memberIds: [] } }));
  const members = [(await org.member('Ada')).id, org.ownerUserId];
  const runIds: string[] = [];
  const launch = async (n: number) => void runIds.push((await launchRun(api, at(templates, n))).id);
  for (let n = 0; n < 8; n += 1) await launch(n);

  const params = (n: number) => ({ params: { id: at(runIds, n) } });
  const taskOf = async (n: number) => {
    const { tasks } = await getRun(api, at(runIds, n));
    return { params: { taskId: at(tasks, Math.floor(n / runIds.length)).runTaskId } };
  };
  const submit = async (n: number, value: string) => {
    const run = await getRun(api, at(runIds, n));
    const { runTaskId } = run.byTitle('Ask');
    const { body } = await api.call('execution', 'open', { body: { runTaskId } });
    const { data } = await must(api.call('templates', 'publishedFields', { params: { id: run.templateId } }));
    const runTaskFieldId = data[0]?.runTaskFieldId ?? '';
    return api.call('execution', 'submit', { body: { executionEntryId: body.id, runTaskFieldId, value } });
  };
  // A command that the state of a run rejects changes nothing.
  const commands: Readonly<Record<string, (n: number) => Promise<unknown>>> = {
    launch,
    show: (n) => submit(n, 'Air'),
    hide: (n) => submit(n, 'Sea'),
    complete: async (n) => api.call('runs.tasks', 'setStatus', { ...(await taskOf(n)), body: { status: 'COMPLETED' } }),
    reset: async (n) => api.call('runs.tasks', 'setStatus', { ...(await taskOf(n)), body: { status: 'PENDING' } }),
    due: async (n) =>
      api.call('runs.tasks', 'setDueDate', { ...(await taskOf(n)), body: { dueAt: instantIn((n % 9) - 4) } }),
    notDue: async (n) => api.call('runs.tasks', 'setDueDate', { ...(await taskOf(n)), body: { dueAt: null } }),
    assign: async (n) =>
      api.call('runs.tasks', 'setAssignee', { ...(await taskOf(n)), body: { assigneeId: at(members, n % 5) } }),
    assignGroup: async (n) =>
      api.call('runs.tasks', 'setAssignee', { ...(await taskOf(n)), body: { assigneeGroupId: group.id } }),
    finish: (n) => api.call('runs', 'complete', params(n)),
    cancel: (n) => api.call('runs', 'cancel', params(n)),
    reopen: (n) => api.call('runs', 'reopen', params(n)),
    archive: (n) => api.call('runs', 'archive', { body: { runIds: [at(runIds, n)] } }),
  };
  const command = fc.record({ name: fc.constantFrom(...Object.keys(commands)), n: fc.nat(1_000) });
  for (const { name, n } of fc.sample(command, { numRuns: 100, seed: 7 })) await commands[name]?.(n);
  // One run ends in each way, whatever the commands above did.
  const [ended = '', done = '', cancelled = ''] = runIds;
  await api.call('runs', 'cancel', { params: { id: ended } });
  await must(api.call('runs', 'archive', { body: { runIds: [ended] } }));
  await api.call('runs', 'reopen', { params: { id: done } });
  for (const title of ['Ask', 'Pack', 'Ship', 'Bill', 'Customs']) {
    const taskId = (await getRun(api, done)).byTitle(title).runTaskId;
    await api.call('runs.tasks', 'setStatus', { params: { taskId }, body: { status: 'COMPLETED' } });
  }
  await api.call('runs', 'cancel', { params: { id: cancelled } });
  const runs = [];
  for (const id of runIds) runs.push(await getRun(api, id));
  return { org, folder, templates, group, members, runs };
}

/** The list on all its pages, and its total, which is the same on each. */
async function listAll(api: Api, query: object, limit: number) {
  const ids: string[] = [];
  const totals = new Set<number>();
  for (let cursor: string | null = ''; cursor !== null;) {
    const paged: object = { ...query, limit, ...(cursor && { cursor }) };
    const page: { data: { runTaskId: string }[]; total: number; nextCursor: string | null } = await must(
      api.call('runs.tasks', 'list', { query: paged }),
    );
    ids.push(...page.data.map(({ runTaskId }) => runTaskId));
    totals.add(page.total);
    cursor = page.nextCursor;
  }
  return { ids, totals: [...totals] };
}

test('list and total agree with a reference for every filter, page size and resource scope', async (t) => {
  const { org, folder, templates, group, members, runs } = await newSetting();
  const now = Date.now();
  const tasks = runs.flatMap(({ tasks, ...run }) => tasks.map((task) => ({ ...task, run })));
  type Known = (typeof tasks)[number];
  const isOverdue = ({ status, deadlineAt }: Known) =>
    status !== 'COMPLETED' && deadlineAt !== null && Date.parse(deadlineAt) < now;
  /** The meaning of every filter, written down once more. */
  const matches = (task: Known, query: Filter) =>
    !task.hidden &&
    (query.runId === undefined
      ? ['RUNNING', 'OVERDUE'].includes(task.run.status) && task.run.archivedAt === null
      : task.run.id === query.runId) &&
    (query.assigneeId === undefined || task.assigneeId === query.assigneeId) &&
    (query.assigneeGroupId === undefined || task.assigneeGroupId === query.assigneeGroupId) &&
    (query.status === undefined || query.status.includes(task.status)) &&
    (query.dueAfter === undefined || (task.deadlineAt ?? '') >= query.dueAfter) &&
    (query.dueBefore === undefined || (task.deadlineAt ?? '9') < query.dueBefore) &&
    (query.overdue === undefined || isOverdue(task) === query.overdue) &&
    (query.templateId === undefined || task.run.templateId === query.templateId);
  const inOrder = (one: Known, other: Known) =>
    `${one.deadlineAt ?? '9'} ${one.runTaskId}` < `${other.deadlineAt ?? '9'} ${other.runTaskId}` ? -1 : 1;

  const states = new Set(runs.map(({ status, archivedAt }) => `${status}${archivedAt === null ? '' : ', archived'}`));
  for (const state of ['RUNNING', 'COMPLETED', 'CANCELLED', 'CANCELLED, archived']) t.true(states.has(state), state);
  t.true(tasks.some(({ hidden }) => hidden));
  for (const status of ['PENDING', 'BLOCKED', 'COMPLETED'])
    t.true(
      tasks.some((task) => task.status === status),
      status,
    );

  const first = templates.slice(0, 1);
  const callers = [
    { api: org.api, scope: templates },
    { api: await org.key({ scopes, resourceMode: 'SELECTED_TEMPLATES', scopedTemplateIds: first }), scope: first },
    { api: await org.key({ scopes, resourceMode: 'SELECTED_FOLDERS', scopedFolderIds: [folder.id] }), scope: first },
  ];
  const filter = fc.record(
    {
      assigneeId: fc.constantFrom(...members),
      assigneeGroupId: fc.constant(group.id),
      status: fc.uniqueArray(fc.constantFrom(...statuses), { minLength: 1 }),
      dueAfter: fc.integer({ min: -4, max: 4 }).map(instantIn),
      dueBefore: fc.integer({ min: -4, max: 4 }).map(instantIn),
      overdue: fc.boolean(),
      templateId: fc.constantFrom(...templates),
      runId: fc.constantFrom(...runs.map(({ id }) => id)),
    },
    { requiredKeys: [] },
  );
  // Of all filters at once little is left, so most have up to three.
  const few = fc
    .tuple(filter, fc.subarray<string>([...names], { maxLength: 3 }))
    .map(([all, kept]) => Object.fromEntries(Object.entries(all).filter(([name]) => kept.includes(name))) as Filter);
  let found = 0;
  let cut = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...callers),
      fc.oneof(few, filter),
      fc.constantFrom(3, 7, 200),
      async ({ api, scope }, query, limit) => {
        const named = [query.templateId, runs.find(({ id }) => id === query.runId)?.templateId];
        if (named.some((id) => id !== undefined && !scope.includes(id))) {
          t.is((await api.call('runs.tasks', 'list', { query })).status, 403);
          return;
        }
        const expected = tasks.filter((task) => scope.includes(task.run.templateId) && matches(task, query));
        const { ids, totals } = await listAll(api, query, limit);
        t.deepEqual(
          ids,
          expected.toSorted(inOrder).map(({ runTaskId }) => runTaskId),
          JSON.stringify(query),
        );
        t.deepEqual(totals, [expected.length], JSON.stringify(query));
        const bounded = { ...query, limit: 1, total: 'bounded' } as const;
        const { total, totalIsExact, nextCursor } = await must(api.call('runs.tasks', 'list', { query: bounded }));
        const isKnown = Object.keys(query).every((name) => name === 'templateId');
        const wanted = boundedTotal(expected.length, isKnown ? Infinity : countedItems);
        t.deepEqual({ total, totalIsExact }, wanted, JSON.stringify(query));
        if (nextCursor !== null) {
          const next = { ...bounded, cursor: nextCursor };
          t.like(await must(api.call('runs.tasks', 'list', { query: next })), wanted, JSON.stringify(query));
        }
        if (!totalIsExact) cut += 1;
        found += expected.length;
      },
    ),
    { numRuns: 80 },
  );
  t.true(found > 50 && cut > 0, `${found} tasks, ${cut} bounded totals`);
  const all = { limit: 200 };
  for (const id of members) {
    const open = { assigneeId: id, status: statuses.slice(0, 3) };
    const { total } = await must(org.api.call('runs.tasks', 'list', { query: { ...all, ...open } }));
    t.is((await must((await org.session()).call('users', 'openTasks', { params: { id }, query: all }))).total, total);
  }
});
