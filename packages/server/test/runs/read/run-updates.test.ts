import { newOrganization } from '@runward/testing/organization';
import { getRun, launchRun, must, publishProcess } from '@runward/testing/process';
import { useSharedApp } from '@runward/testing/use-shared-app';
import test from 'ava';
import { isRejected } from '../../support/expect-rejection.ts';

const app = useSharedApp(test);

test('updatedAfter lists runs by their changes, archived ones too, and an incremental reader misses nothing', async (t) => {
  const { api } = await newOrganization(app);
  const { templateId } = await publishProcess(api, [{ title: 'Only task' }]);
  const ids: string[] = [];
  for (let count = 0; count < 4; count += 1) ids.push((await launchRun(api, templateId)).id);
  const [first = '', second = '', third = '', fourth = ''] = ids;
  const read = async (query: object) => must(api.call('runs', 'list', { query }));
  const since = (await getRun(api, fourth)).updatedAt;
  t.deepEqual((await read({ updatedAfter: since })).data, []);

  await must(api.call('runs', 'update', { params: { id: third }, body: { title: 'Renamed' } }));
  await must(api.call('runs', 'cancel', { params: { id: first } }));
  await must(api.call('runs', 'archive', { body: { runIds: [first] } }));
  const { runTaskId } = (await getRun(api, second)).byTitle('Only task');
  await must(api.call('execution', 'open', { body: { runTaskId } }));

  const seen: string[] = [];
  for (let cursor: string | null | undefined; cursor !== null;) {
    const page = await read({ updatedAfter: since, limit: 1, ...(cursor && { cursor }) });
    t.is(page.total, 3);
    seen.push(...page.data.map(({ id }) => id));
    cursor = page.nextCursor;
  }
  t.deepEqual(seen, [third, first, second]);
  t.deepEqual(
    (await read({ updatedAfter: since, archived: true })).data.map(({ id }) => id),
    [first],
  );
  for (const { id, updatedAt, archivedAt, cancelledAt } of (await read({ updatedAfter: since })).data) {
    t.like(await getRun(api, id), { updatedAt, archivedAt, cancelledAt });
    t.true(updatedAt > since);
  }
});

test('a run has its updatedAt, version, variables and the deadlines of its tasks', async (t) => {
  const { api } = await newOrganization(app, { timeZone: 'Europe/Berlin' });
  const due = { from: 'SCHEDULED_DATE', offset: 'P1D', hasTime: false } as const;
  const { templateId } = await publishProcess(api, [{ title: 'Due', due }, { title: 'Free' }], {}, [
    { key: 'region', defaultValue: 'EU' },
    { key: 'seats', type: 'NUMBER' },
  ]);
  const run = await launchRun(api, templateId, { scheduledDateLocal: '2030-01-01', variables: { seats: 3 } });

  t.is(run.updatedAt, run.createdAt);
  t.deepEqual(run.variables, { region: 'EU', seats: 3 });
  t.is(run.byTitle('Due').deadlineAt, '2030-01-02T22:59:59.999Z');
  t.is(run.byTitle('Free').deadlineAt, null);
  t.false('entries' in run.byTitle('Due'));
  const renamed = await must(api.call('runs', 'update', { params: { id: run.id }, body: { title: 'New' } }));
  t.not(renamed.version, run.version);
  const { byTitle: _, ...now } = await getRun(api, run.id);
  t.deepEqual(now, renamed);
});

test('include=fieldValues adds the entries of each task with their values', async (t) => {
  const { api } = await newOrganization(app);
  const { templateId, fields } = await publishProcess(api, [
    { title: 'Form', repeatable: true, fields: [{ label: 'Answer', type: 'TEXT' }] },
    { title: 'Empty' },
  ]);
  const run = await launchRun(api, templateId);
  const { runTaskId } = run.byTitle('Form');
  for (const value of ['one', 'two']) {
    const { id } = await must(api.call('execution', 'open', { body: { runTaskId } }));
    const body = { executionEntryId: id, runTaskFieldId: fields['answer']?.id ?? '', value };
    await must(api.call('execution', 'submit', { body }));
  }

  const { tasks } = await must(
    api.call('runs', 'get', { params: { id: run.id }, query: { include: 'fieldValues' as const } }),
  );
  const entries = await must(api.call('execution', 'entries', { params: { runTaskId } }));
  t.deepEqual(
    tasks.map((task) => task.entries),
    [entries.data, []],
  );
  t.deepEqual(
    tasks[0]?.entries?.map(({ fieldValues }) => fieldValues.map(({ value }) => value)),
    [['two'], ['one']],
  );
  await isRejected(t, api.raw('GET', `/runs/${run.id}?include=all`), 400, ['include: must be one of fieldValues']);
});

test('a write with the ETag of an older version of the run is a 412 and changes nothing', async (t) => {
  const { api } = await newOrganization(app);
  const { templateId } = await publishProcess(api);
  const { id, byTitle } = await launchRun(api, templateId);
  const { runTaskId } = byTitle('Only task');
  const etagOf = async () => (await api.call('runs', 'get', { params: { id } })).headers.get('etag') ?? '';
  const old = await etagOf();
  await must(api.call('runs', 'update', { params: { id }, body: { title: 'Changed' } }));
  const before = await getRun(api, id);

  const writes = [
    ['PATCH', `/runs/${id}`, { title: 'Lost' }],
    ['POST', `/runs/${id}/cancel`, undefined],
    ['PATCH', `/runs/tasks/${runTaskId}/status`, { status: 'COMPLETED' }],
    ['PATCH', `/runs/tasks/${runTaskId}/due-date`, { dueAt: '2030-01-01T00:00:00Z' }],
    ['PATCH', `/runs/tasks/${runTaskId}/assignee`, { assigneeId: before.ownerUserId }],
  ] as const;
  for (const [method, path, body] of writes) {
    const { status } = await api.raw(method, path, { body, headers: { 'if-match': old } });
    t.is(status, 412, path);
  }
  t.deepEqual({ ...(await getRun(api, id)), byTitle: null }, { ...before, byTitle: null });

  const answers = await Promise.all(
    ['A', 'B', 'C'].map(async (title) =>
      api.raw('PATCH', `/runs/${id}`, { body: { title }, headers: { 'if-match': `"${before.version}"` } }),
    ),
  );
  t.deepEqual(
    answers.map(({ status }) => status).sort((one, other) => one - other),
    [200, 412, 412],
  );
  const winner = answers.find(({ status }) => status === 200);
  t.is(winner?.headers.get('etag'), await etagOf());
});
