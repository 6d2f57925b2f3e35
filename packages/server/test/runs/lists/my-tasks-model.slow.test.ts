import { dueBuckets, taskReasons, type DueBucket, type TaskReason } from '@runward/contract';
import type { Api } from '@runward/testing/api';
import { useApp } from '@runward/testing/app';
import { addMember, type TestMember } from '@runward/testing/members';
import { newOrganization } from '@runward/testing/organization';
import { getRun, launchRun, must } from '@runward/testing/process';
import test from 'ava';
import * as fc from 'fast-check';
import { Client } from 'pg';
import { taskApprovers } from '../../../src/database/migrations/0002-task-approvers.ts';
import { statementsOf } from '../../../src/database/migrations/sql-migration.ts';
import { dueOf, dueRanges } from '../../../src/runs/lists/due-buckets.ts';
import { publishDraft } from '../../support/templates.ts';
import { boundedTotal } from './bounded-total.ts';

const countedItems = 3;
const app = useApp(test, { limits: { countedItems } });

const day = 86_400_000;
const timeZone = 'Asia/Beirut';
const at = <Item>(items: readonly Item[], index: number) => items[index % items.length] as Item;

/** A template whose tasks wait for approvers of all kinds, for another task, and for nobody. */
function draft([ada, grace]: readonly TestMember[], groupIds: readonly string[]) {
  const form = (key: string) => [{ label: key, key, type: 'TEXT' as const, required: true }];
  const approverGroupIds = [...groupIds];
  const approverIds = [ada, grace].flatMap((member) => member?.id ?? []);
  return [
    { id: 'new:first', title: 'First' },
    { title: 'Named', approval: { approverIds }, fields: form('named'), dependencies: ['new:first'] },
    { title: 'Group', approval: { approverGroupIds: approverGroupIds.slice(0, 1) }, fields: form('group') },
    {
      title: 'All',
      approval: { policy: 'ALL' as const, approverIds: approverIds.slice(0, 1), approverGroupIds },
      fields: form('all'),
    },
    { title: 'Anyone', approval: { allowSelfApproval: true }, fields: form('anyone') },
    { title: 'Other', approval: {}, fields: form('other') },
  ];
}

/** Runs of a template after random commands of three members, who are in two groups. */
async function newSetting() {
  const org = await newOrganization(app, { timeZone });
  const owner = await org.session();
  const members: TestMember[] = [];
  for (const name of ['Ada', 'Grace', 'Edsger']) members.push(await addMember(app.baseUrl, owner, { name }));
  const ids = members.map(({ id }) => id);
  const groups: { id: string; memberIds: string[] }[] = [];
  for (const memberIds of [ids.slice(0, 2), ids.slice(1)]) {
    const { id } = await must(owner.call('groups', 'create', { body: { name: 'Group', memberIds } }));
    groups.push({ id, memberIds });
  }
  const groupIds = groups.map(({ id }) => id);
  const templateId = await publishDraft(org.api, draft(members, groupIds));
  const { data: fields } = await must(org.api.call('templates', 'publishedFields', { params: { id: templateId } }));
  const runIds: string[] = [];
  for (let n = 0; n < 6; n += 1) runIds.push((await launchRun(org.api, templateId)).id);

  const taskOf = async (n: number) => {
    const { tasks } = await getRun(org.api, at(runIds, n));
    return at(tasks, Math.floor(n / runIds.length));
  };
  const changeTask = async (n: number, method: 'setStatus' | 'setDueDate' | 'setAssignee', body: object) =>
    org.api.call('runs.tasks', method, { params: { taskId: (await taskOf(n)).runTaskId }, body: body as never });
  const decide = async (n: number, method: 'approve' | 'reject') => {
    const params = { taskId: (await taskOf(n)).runTaskId };
    return at(members, n).session.call('runs.tasks', method, { params, body: { comment: 'So' } });
  };
  // A command that the state of a run rejects changes nothing.
  const commands: Readonly<Record<string, (n: number) => Promise<unknown>>> = {
    fill: async (n) => {
      const { runTaskId, taskId } = await taskOf(n);
      const { session } = at(members, n);
      const { body } = await session.call('execution', 'open', { body: { runTaskId } });
      const runTaskFieldId = fields.find((field) => field.taskId === taskId)?.runTaskFieldId ?? '';
      return session.call('execution', 'submit', {
        body: { executionEntryId: body.id, runTaskFieldId, value: `${n}` },
      });
    },
    approve: (n) => decide(n, 'approve'),
    reject: (n) => decide(n, 'reject'),
    complete: (n) => changeTask(n, 'setStatus', { status: 'COMPLETED' }),
    reset: (n) => changeTask(n, 'setStatus', { status: 'PENDING' }),
    due: (n) => changeTask(n, 'setDueDate', { dueAt: new Date(Date.now() + ((n % 17) - 3) * day).toISOString() }),
    assign: (n) => changeTask(n, 'setAssignee', { assigneeId: at(ids, n % 5) }),
    assignGroup: (n) => changeTask(n, 'setAssignee', { assigneeGroupId: at(groupIds, n % 7) }),
    cancel: (n) => org.api.call('runs', 'cancel', { params: { id: at(runIds, n) } }),
    reopen: (n) => org.api.call('runs', 'reopen', { params: { id: at(runIds, n) } }),
    archive: (n) => org.api.call('runs', 'archive', { body: { runIds: [at(runIds, n)] } }),
  };
  const weights = { fill: 8, approve: 4, due: 4, assign: 3, assignGroup: 3, reopen: 3 };
  const names = Object.keys(commands).map((name) => ({
    arbitrary: fc.constant(name),
    weight: weights[name as keyof typeof weights] ?? 1,
  }));
  const command = fc.record({ name: fc.oneof(...names), n: fc.nat(10_000) });
  for (const { name, n } of fc.sample(command, { numRuns: 200, seed: 7 })) await commands[name]?.(n);
  const runs = [];
  for (const id of runIds)
    runs.push(await must(org.api.call('runs', 'get', { params: { id }, query: { include: 'fieldValues' } })));
  return { org, members, groups, runs };
}

type Run = Awaited<ReturnType<typeof newSetting>>['runs'][number];
type Task = Run['tasks'][number];

/** Why a task is one of a member, written down once more. */
function reasonsOf(task: Task, memberId: string, groups: readonly { id: string; memberIds: string[] }[]): TaskReason[] {
  const own = new Set(groups.flatMap(({ id, memberIds }) => (memberIds.includes(memberId) ? id : [])));
  const { approval } = task;
  const entry = task.entries?.find(({ status }) => status === 'OPEN');
  const workers = [entry?.createdByUserId, ...(entry?.fieldValues.map((value) => value.submittedByUserId) ?? [])];
  const decided = approval?.decisions.map(({ userId }) => userId) ?? [];
  const isMissing = (groupId: string) =>
    !groups.some(({ id, memberIds }) => id === groupId && memberIds.some((member) => decided.includes(member)));
  const isAwaited =
    approval?.status === 'REQUESTED' &&
    !decided.includes(memberId) &&
    (approval.allowSelfApproval || !workers.includes(memberId)) &&
    (approval.approverIds.includes(memberId) ||
      approval.approverGroupIds.some((id) => own.has(id) && isMissing(id)) ||
      approval.approverIds.length + approval.approverGroupIds.length === 0);
  return taskReasons.filter(
    (reason) =>
      ({
        ASSIGNED: task.assigneeId === memberId,
        GROUP: task.assigneeGroupId !== null && own.has(task.assigneeGroupId),
        APPROVAL: isAwaited,
      })[reason],
  );
}

/** The list on all its pages, and its total, which is the same on each. */
async function listAll(api: Api, query: object, limit: number) {
  const tasks: { runTaskId: string; reasons: TaskReason[]; due: DueBucket }[] = [];
  const totals = new Set<number>();
  for (let cursor: string | null = ''; cursor !== null;) {
    const paged: object = { ...query, limit, ...(cursor && { cursor }) };
    const page: { data: typeof tasks; total: number; nextCursor: string | null } = await must(
      api.call('me.tasks', 'list', { query: paged }),
    );
    tasks.push(...page.data.map(({ runTaskId, reasons, due }) => ({ runTaskId, reasons, due })));
    totals.add(page.total);
    cursor = page.nextCursor;
  }
  return { tasks, totals: [...totals] };
}

/** Who has yet to decide on tasks, as the table says. */
async function approversIn(client: Client) {
  return (await client.query('select * from task_approvers order by run_task_id, approver_id')).rows;
}

test('list, total and counts agree with a reference for every filter and page size, and so does the migration', async (t) => {
  const { members, groups, runs } = await newSetting();
  const tasks = runs
    .filter(({ status, archivedAt }) => ['RUNNING', 'OVERDUE'].includes(status) && archivedAt === null)
    .flatMap((run) => run.tasks)
    .filter(({ status }) => status !== 'COMPLETED')
    .toSorted((one, other) =>
      `${one.deadlineAt ?? '9'} ${one.runTaskId}` < `${other.deadlineAt ?? '9'} ${other.runTaskId}` ? -1 : 1,
    );
  const filter = fc.record(
    {
      reason: fc.uniqueArray(fc.constantFrom(...taskReasons), { minLength: 1 }),
      due: fc.constantFrom(...dueBuckets),
      status: fc.uniqueArray(fc.constantFrom('PENDING', 'BLOCKED', 'PENDING_APPROVAL'), { minLength: 1 }),
    },
    { requiredKeys: [] },
  );
  const found = new Map<string, number>();
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...members),
      filter,
      fc.constantFrom(1, 3, 200),
      async ({ id, session }, query, limit) => {
        // A day may end during the test.
        const ranges = dueRanges(timeZone, new Date());
        const expected = tasks
          .map((task) => ({
            runTaskId: task.runTaskId,
            status: task.status,
            reasons: reasonsOf(task, id, groups),
            due: dueOf(ranges, task.deadlineAt),
          }))
          .filter(
            (task) =>
              task.reasons.some((reason) => (query.reason ?? taskReasons).includes(reason)) &&
              (query.due === undefined || task.due === query.due) &&
              (query.status === undefined || query.status.includes(task.status as 'PENDING')),
          );
        const listed = await listAll(session, query, limit);
        t.deepEqual(
          listed.tasks,
          expected.map(({ status: _, ...task }) => task),
          JSON.stringify(query),
        );
        t.deepEqual(listed.totals, [expected.length], JSON.stringify(query));
        const bounded = { ...query, limit: 1, total: 'bounded' } as const;
        const { total, totalIsExact } = await must(session.call('me.tasks', 'list', { query: bounded }));
        t.deepEqual({ total, totalIsExact }, boundedTotal(expected.length, countedItems), JSON.stringify(query));
        found.set('bounded', (found.get('bounded') ?? 0) + (totalIsExact ? 0 : 1));
        const number = (matches: (task: (typeof expected)[number]) => boolean) => expected.filter(matches).length;
        t.deepEqual(await must(session.call('me.tasks', 'counts', { query })), {
          total: expected.length,
          byDue: Object.fromEntries(dueBuckets.map((due) => [due, number((task) => task.due === due)])) as never,
          byReason: Object.fromEntries(
            taskReasons.map((reason) => [reason, number((task) => task.reasons.includes(reason))]),
          ) as never,
        });
        for (const { due, reasons, status } of expected)
          for (const kind of [due, status, reasons.join()]) found.set(kind, (found.get(kind) ?? 0) + 1);
      },
    ),
    { numRuns: 150 },
  );
  for (const kind of [
    ...dueBuckets,
    ...taskReasons,
    'BLOCKED',
    'PENDING_APPROVAL',
    'ASSIGNED,APPROVAL',
    'GROUP,APPROVAL',
    'bounded',
  ])
    if (!['TODAY', 'THIS_WEEK'].includes(kind)) t.true((found.get(kind) ?? 0) > 0, kind);

  const client = new Client({ connectionString: app.databaseUrl });
  await client.connect();
  const kept = await approversIn(client);
  t.true(kept.length > 10, `${kept.length} approvers`);
  await client.query('drop table task_approvers');
  await client.query('drop index group_members_user_index');
  for (const statement of statementsOf(taskApprovers)) await client.query(statement);
  const ordered = (rows: typeof kept) =>
    rows.map((row) => ({ ...row, excluded_user_ids: row.excluded_user_ids.toSorted() }));
  t.deepEqual(ordered(await approversIn(client)), ordered(kept));
  await client.end();
});
