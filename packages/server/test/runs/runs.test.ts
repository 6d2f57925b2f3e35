import { randomUUID } from 'node:crypto';
import { newOrganization } from '@runward/testing/organization';
import { getRun, launchRun, must, publishProcess } from '@runward/testing/process';
import { useSharedApp } from '@runward/testing/use-shared-app';
import test from 'ava';

const app = useSharedApp(test);

test('a launch answers the run as the specification shows it', async (t) => {
  const { api, ownerUserId } = await newOrganization(app);
  const { templateId, versionId } = await publishProcess(api, [{ title: 'One' }], { name: 'Onboarding' });

  const { status, body } = await api.call('runs', 'launch', { body: { templateId } });

  t.is(status, 201);
  t.deepEqual(Object.keys(body).sort(), [
    'createdAt',
    'id',
    'ownerUserId',
    'publicId',
    'status',
    'templateId',
    'templateVersionId',
    'title',
  ]);
  t.like(body, { title: 'Onboarding', status: 'RUNNING', templateId, templateVersionId: versionId, ownerUserId });
  t.regex(body.publicId, /^RUN-[2-9A-Z]{8}$/);
});

test('a launch takes title, date, owner and variables; the alias under the template does the same', async (t) => {
  const org = await newOrganization(app);
  const { api } = org;
  const ada = await org.member('Ada');
  const { templateId } = await publishProcess(
    api,
    [{ title: 'One', due: { from: 'SCHEDULED_DATE', offset: 'P2D' } }],
    { runTitlePattern: 'Hire {{variables.name}} on {{date}}' },
    [{ key: 'name' }, { key: 'seats', defaultValue: 3 }],
  );

  const body = { scheduledDateLocal: '2030-05-01', ownerEmail: ada.email.toUpperCase(), variables: { name: 'Bo' } };
  const one = await must(api.call('runs', 'launch', { body: { templateId, ...body } }));
  const two = await must(api.call('templates.runs', 'launch', { params: { id: templateId }, body }));

  t.is(one.title, 'Hire Bo on 2030-05-01');
  t.is(two.title, one.title);
  t.is(one.ownerUserId, ada.id);
  t.is((await getRun(api, one.id)).byTitle('One').dueAt, '2030-05-03T00:00:00.000Z');
  const variables = await must(api.call('runs', 'variables', { params: { id: one.id } }));
  t.deepEqual(variables.data, [
    { key: 'name', value: 'Bo', description: null },
    { key: 'seats', value: 3, description: null },
  ]);
});

test('a launch is rejected with the remedy, and nothing is launched', async (t) => {
  const { api } = await newOrganization(app);
  const { templateId } = await publishProcess(api);
  const draft = await must(api.call('templates', 'create', { body: { name: 'Draft' } }));
  const rejected = [
    [{ templateId: draft.id }, 400, /no published version; publish it first/],
    [{ templateId: randomUUID() }, 404, /^Template not found/],
    [{ templateId, ownerEmail: 'nobody@example.com' }, 400, /^ownerEmail: .* is not an active member/],
    [
      { templateId, variables: { constructor: 'x' } },
      400,
      /^variables\.constructor: unknown flow variable; the template defines none/,
    ],
    [{ templateId, scheduledDateLocal: '2030-02-30' }, 400, /^scheduledDateLocal: must be a date/],
    [{ templateId, colour: 'red' }, 400, /^colour: unknown parameter/],
    [{}, 400, /^templateId: is required$/],
  ] as const;
  for (const [body, status, message] of rejected) {
    const answer = await api.raw('POST', '/runs', { body });
    t.is(answer.status, status, JSON.stringify(body));
    t.regex([answer.error.message].flat()[0] ?? '', message);
  }
  t.is((await must(api.call('runs', 'counts'))).total, 0);
});

test('lists are newest first, filtered, paged by cursor, with an exact total', async (t) => {
  const { api } = await newOrganization(app);
  const { templateId } = await publishProcess(api);
  const other = await publishProcess(api);
  const ids: string[] = [];
  for (let index = 0; index < 5; index += 1) {
    ids.push((await launchRun(api, templateId, { scheduledDateLocal: `2030-01-0${index + 1}` })).id);
  }
  await launchRun(api, other.templateId);
  await must(api.call('runs', 'cancel', { params: { id: ids[0] ?? '' } }));

  const first = await must(api.call('runs', 'list', { query: { templateId, limit: 2 } }));
  t.deepEqual(
    first.data.map((run) => run.id),
    [ids[4], ids[3]],
  );
  t.like(first, { total: 5, hasMore: true });
  t.deepEqual(Object.keys(first.data[0] ?? {}).sort(), [
    'archivedAt',
    'cancelledAt',
    'completedAt',
    'createdAt',
    'id',
    'ownerUserId',
    'publicId',
    'scheduledDateLocal',
    'status',
    'templateId',
    'title',
    'updatedAt',
  ]);

  const seen: string[] = [];
  for (let cursor: string | null | undefined; cursor !== null;) {
    const query = { templateId, limit: 2, ...(cursor && { cursor }) };
    const page = await must(api.call('runs', 'list', { query }));
    seen.push(...page.data.map((run) => run.id));
    cursor = page.nextCursor;
  }
  t.deepEqual(seen, ids.toReversed());

  const of = async (query: object) => (await must(api.call('runs', 'list', { query }))).data.map((run) => run.id);
  t.deepEqual(await of({ status: 'CANCELLED' }), [ids[0]]);
  t.deepEqual(await of({ scheduledDate: '2030-01-03' }), [ids[2]]);
  t.deepEqual(await of({ stalledForDays: 1 }), []);
  t.deepEqual(await of({ publicId: first.data[0]?.publicId.toLowerCase() }), [ids[4]]);
  t.deepEqual(await of({ publicId: 'RUN-22222222' }), []);
  t.is((await api.raw('GET', '/runs?publicId=22222222')).status, 400);
  t.is((await of({ stalledForDays: 0 })).length, 5);
  const under = await must(api.call('templates.runs', 'list', { params: { id: other.templateId } }));
  t.is(under.total, 1);
  for (const query of ['limit=0', 'limit=201', 'limit=x', 'cursor=abc', 'status=DONE', 'nope=1', 'limit=1&limit=2']) {
    t.is((await api.raw('GET', `/runs?${query}`)).status, 400, query);
  }
});

test('counts are by status and leave archived runs out', async (t) => {
  const { api } = await newOrganization(app);
  const { templateId } = await publishProcess(api);
  const runs = [await launchRun(api, templateId), await launchRun(api, templateId), await launchRun(api, templateId)];
  await must(api.call('runs', 'cancel', { params: { id: runs[0]?.id ?? '' } }));
  await must(api.call('runs', 'cancel', { params: { id: runs[1]?.id ?? '' } }));
  await must(api.call('runs', 'archive', { body: { runIds: [runs[1]?.id ?? ''] } }));

  const counts = await must(api.call('runs', 'counts'));

  t.deepEqual(counts, { RUNNING: 1, OVERDUE: 0, COMPLETED: 0, CANCELLED: 1, total: 2 });
});

test('completing names every required task that is still open; then it works', async (t) => {
  const { api } = await newOrganization(app);
  const { templateId } = await publishProcess(api, [
    { title: 'First' },
    { title: 'Second' },
    { title: 'Maybe', required: false },
  ]);
  const run = await launchRun(api, templateId);

  const rejected = await api.call('runs', 'complete', { params: { id: run.id } });
  t.is(rejected.status, 400);
  t.is(rejected.error.code, 'required_tasks_open');
  t.is(rejected.error.message, 'Required tasks are still open: "First", "Second"; complete them first.');

  const status = { status: 'COMPLETED' as const };
  const { runTaskId: first } = run.byTitle('First');
  const { runTaskId: second } = run.byTitle('Second');
  await must(api.call('runs.tasks', 'setStatus', { params: { taskId: first }, body: status }));
  t.is((await getRun(api, run.id)).status, 'RUNNING');
  await must(api.call('runs.tasks', 'setStatus', { params: { taskId: second }, body: status }));
  const done = await getRun(api, run.id);
  t.is(done.status, 'COMPLETED');
  t.truthy(done.completedAt);

  const again = await api.call('runs', 'complete', { params: { id: run.id } });
  t.is(again.status, 400);
  t.is(again.error.code, 'run_terminal');
  t.regex(String(again.error.message), /COMPLETED; reopen it first/);
});

test('cancel, reopen, rename and archive follow the run through its life', async (t) => {
  const { api } = await newOrganization(app);
  const { templateId } = await publishProcess(api);
  const { id } = await launchRun(api, templateId);
  const params = { id };

  t.is((await api.call('runs', 'update', { params, body: { title: 'Renamed' } })).body.title, 'Renamed');
  t.is((await api.call('runs', 'archive', { body: { runIds: [id] } })).status, 400);
  t.is((await api.call('runs', 'reopen', { params })).status, 400);
  t.is((await api.call('runs', 'cancel', { params })).body.status, 'CANCELLED');
  t.is((await api.call('runs', 'cancel', { params })).status, 400);
  t.is((await api.call('runs', 'update', { params, body: { title: 'No' } })).status, 400);
  t.deepEqual((await api.call('runs', 'archive', { body: { runIds: [id] } })).body, { archived: 1, runIds: [id] });
  t.deepEqual((await api.call('runs', 'archive', { body: { runIds: [id] } })).body, { archived: 0, runIds: [id] });
  t.is((await must(api.call('runs', 'list'))).total, 0);
  t.is((await must(api.call('runs', 'list', { query: { archived: true } }))).total, 1);
  t.deepEqual((await api.call('runs', 'unarchive', { body: { runIds: [id] } })).body, { unarchived: 1, runIds: [id] });
  t.deepEqual((await api.call('runs', 'unarchive', { body: { runIds: [id] } })).body, { unarchived: 0, runIds: [id] });
  t.like(await getRun(api, id), { status: 'CANCELLED', archivedAt: null });
  t.is((await must(api.call('runs', 'list'))).total, 1);
  t.is((await api.call('runs', 'unarchive', { body: { runIds: [id, randomUUID()] } })).status, 404);
  await must(api.call('runs', 'archive', { body: { runIds: [id] } }));
  t.like((await api.call('runs', 'reopen', { params })).body, { status: 'RUNNING', archivedAt: null });
  t.is((await must(api.call('runs', 'list'))).total, 1);
});

test('a finished run of a deleted template stays readable but cannot be reopened', async (t) => {
  const { api } = await newOrganization(app);
  const { templateId } = await publishProcess(api);
  const { id } = await launchRun(api, templateId);
  await must(api.call('runs', 'cancel', { params: { id } }));
  await must(api.call('templates', 'delete', { params: { id: templateId } }));

  t.is((await getRun(api, id)).status, 'CANCELLED');
  const rejected = await api.call('runs', 'reopen', { params: { id } });
  t.is(rejected.status, 400);
  t.is(rejected.error.message, 'The template of the run was deleted; its runs cannot be reopened.');
  t.is((await getRun(api, id)).status, 'CANCELLED');
});

test('archiving is all or nothing', async (t) => {
  const { api } = await newOrganization(app);
  const { templateId } = await publishProcess(api);
  const done = await launchRun(api, templateId);
  const active = await launchRun(api, templateId);
  await must(api.call('runs', 'cancel', { params: { id: done.id } }));

  const mixed = await api.call('runs', 'archive', { body: { runIds: [done.id, active.id] } });
  t.is(mixed.status, 400);
  t.regex([mixed.error.message].flat()[0] ?? '', /^runIds\[1\]: .* complete or cancel it first/);
  t.is((await api.call('runs', 'archive', { body: { runIds: [done.id, randomUUID()] } })).status, 404);
  t.is((await getRun(api, done.id)).archivedAt, null);
});

test('activity tells every fact newest first, with who did it', async (t) => {
  const { api, ownerUserId, apiKeyId } = await newOrganization(app);
  const { templateId } = await publishProcess(api);
  const { id } = await launchRun(api, templateId);
  await must(api.call('runs', 'update', { params: { id }, body: { title: 'New' } }));
  await must(api.call('runs', 'cancel', { params: { id } }));

  const { data, total } = await must(api.call('runs', 'activity', { params: { id } }));

  t.is(total, 3);
  t.deepEqual(
    data.map(({ sequence, type }) => [sequence, type]),
    [
      [3, 'run.cancelled'],
      [2, 'run.renamed'],
      [1, 'run.started'],
    ],
  );
  t.deepEqual(data[1]?.data, { title: 'New' });
  t.deepEqual(data[0]?.actor, { type: 'API_KEY', userId: ownerUserId, apiKeyId });
  const second = await must(api.call('runs', 'activity', { params: { id }, query: { limit: 2 } }));
  const rest = await must(api.call('runs', 'activity', { params: { id }, query: { cursor: second.nextCursor ?? '' } }));
  t.deepEqual(
    rest.data.map(({ sequence }) => sequence),
    [1],
  );
});

test('two parallel completions of the last tasks complete the run exactly once', async (t) => {
  const { api } = await newOrganization(app);
  const { templateId } = await publishProcess(api, [{ title: 'A' }, { title: 'B' }]);
  for (let round = 0; round < 10; round += 1) {
    const run = await launchRun(api, templateId);
    const answers = await Promise.all(
      run.tasks.map(({ runTaskId: taskId }) =>
        api.call('runs.tasks', 'setStatus', { params: { taskId }, body: { status: 'COMPLETED' } }),
      ),
    );
    t.deepEqual(
      answers.map((answer) => answer.status),
      [204, 204],
    );
    const { data } = await must(api.call('runs', 'activity', { params: { id: run.id } }));
    t.is(data.filter(({ type }) => type === 'run.completed').length, 1);
  }
});

test('a run of another organization is not there', async (t) => {
  const mine = await newOrganization(app);
  const other = await newOrganization(app);
  const { templateId } = await publishProcess(mine.api);
  const { id } = await launchRun(mine.api, templateId);
  const strip = ({ timestamp: _, path: __, ...rest }: { timestamp: string; path: string }) => rest;
  for (const name of ['get', 'activity', 'variables', 'complete', 'cancel', 'reopen'] as const) {
    const foreign = await other.api.call('runs', name, { params: { id } });
    const unknown = await other.api.call('runs', name, { params: { id: randomUUID() } });
    t.is(foreign.status, 404);
    t.deepEqual(strip(foreign.error), strip(unknown.error));
  }
  t.is((await other.api.call('runs', 'launch', { body: { templateId } })).status, 404);
  for (const name of ['list', 'counts', 'exportCsv'] as const)
    t.is((await other.api.call('runs', name, { query: { templateId } })).status, 404);
  t.is((await getRun(mine.api, id)).status, 'RUNNING');
});
