import type { BodyInput, Contract } from '@runward/contract';
import type { Api } from '@runward/testing/api';
import { newOrganization } from '@runward/testing/organization';
import { getRun, launchRun, must } from '@runward/testing/process';
import { useSharedApp } from '@runward/testing/use-shared-app';
import test from 'ava';
import { isRejected } from '../support/expect-rejection.ts';
import { isFolded } from '../support/folded-run.ts';
import { publishDraft } from '../support/templates.ts';

const app = useSharedApp(test);

type Tasks = BodyInput<Contract['templates.draft']['replace']>['tasks'];

/** Publishes another version. Returns its id. */
async function publishVersion(api: Api, id: string, tasks: Tasks): Promise<string> {
  await must(api.call('templates.draft', 'replace', { params: { id }, body: { phases: [], tasks, variables: [] } }));
  return (await must(api.call('templates', 'publish', { params: { id } }))).id;
}

/** The tasks of the draft as they are sent to replace it. */
async function draftTasks(api: Api, id: string) {
  const { tasks } = await must(api.call('templates.draft', 'get', { params: { id } }));
  return tasks.map((task) => ({
    id: task.id,
    title: task.title,
    required: task.required,
    dependencies: task.dependencies,
    fields: task.fields.map(({ id, key, label, type, required, options }) => ({
      id,
      key,
      label,
      type,
      required,
      options,
    })),
  }));
}

const complete = (api: Api, taskId: string) =>
  must(api.call('runs.tasks', 'setStatus', { params: { taskId }, body: { status: 'COMPLETED' } }));
const titles = (tasks: readonly { readonly title: string }[]) => tasks.map(({ title }) => title);

test('a migration keeps, adds, removes and retires tasks, a dry run reports the same, and migrating back undoes it', async (t) => {
  const { api, organizationId } = await newOrganization(app);
  const options = ['s', 'm'].map((key) => ({ key, label: key.toUpperCase() }));
  const templateId = await publishDraft(api, [
    {
      title: 'Ask',
      fields: [
        { label: 'Plan', type: 'DROPDOWN', required: true, options },
        { label: 'Note', type: 'TEXT' },
      ],
    },
    { title: 'Pack' },
    { title: 'Ship' },
    { title: 'Bill' },
  ]);
  const run = await launchRun(api, templateId);
  const first = run.templateVersionId;
  const ask = run.byTitle('Ask');
  const { id: executionEntryId } = await must(api.call('execution', 'open', { body: { runTaskId: ask.runTaskId } }));
  const draft = await draftTasks(api, templateId);
  const [plan, note] = draft[0]?.fields.map(({ id }) => id) ?? [];
  const values = [
    { runTaskFieldId: plan ?? '', value: 's' },
    { runTaskFieldId: note ?? '', value: 'fragile' },
  ];
  await must(api.call('execution', 'submitBatch', { body: { executionEntryId, values } }));
  await complete(api, run.byTitle('Pack').runTaskId);

  const [form, , , bill] = draft;
  const [choice] = form?.fields ?? [];
  const onlyM = form && choice && { ...form, fields: [{ ...choice, options: options.slice(1) }] };
  const second = await publishVersion(api, templateId, [
    ...(bill ? [bill] : []),
    { title: 'Review', due: { from: 'LAUNCH', offset: 'P1D' } },
    ...(onlyM ? [onlyM] : []),
  ]);
  const dryRun = await must(api.call('runs', 'migrateToLatest', { params: { id: run.id }, body: { dryRun: true } }));
  t.is((await getRun(api, run.id)).templateVersionId, first);
  const report = await must(api.call('runs', 'migrateToLatest', { params: { id: run.id } }));
  t.deepEqual(dryRun, report);
  t.like(report, {
    runId: run.id,
    from: { versionId: first, number: 1 },
    to: { versionId: second, number: 2 },
    changed: true,
    status: { before: 'RUNNING', after: 'RUNNING' },
  });
  const { kept, added, removed, retired } = report.tasks;
  t.deepEqual([kept, added, removed, retired].map(titles), [['Bill', 'Ask'], ['Review'], ['Ship'], ['Pack']]);

  const migrated = await getRun(api, run.id);
  t.deepEqual(
    migrated.tasks.map(({ title, position, retired, status }) => [title, position, retired, status]),
    [
      ['Bill', 0, false, 'PENDING'],
      ['Review', 1, false, 'PENDING'],
      ['Ask', 2, false, 'PENDING'],
      ['Pack', 3, true, 'COMPLETED'],
    ],
  );
  t.is(migrated.byTitle('Ask').runTaskId, ask.runTaskId);
  t.is(migrated.byTitle('Review').dueAt, new Date(Date.parse(run.createdAt) + 86_400_000).toISOString());
  await isFolded(t, app, organizationId, run.id);

  const entry = await must(api.call('execution', 'get', { params: { id: executionEntryId } }));
  t.deepEqual(entry.fieldValues, [], 'neither the value of a removed field nor one that is no option any more');
  await isRejected(
    t,
    api.call('execution', 'complete', { body: { executionEntryId } }),
    400,
    'Required fields have no value: "Plan"; submit their values first.',
  );
  const ship = run.byTitle('Ship').runTaskId;
  await isRejected(t, api.call('runs.tasks', 'get', { params: { taskId: ship } }), 404, 'Task not found.');
  await isRejected(t, api.call('execution', 'open', { body: { runTaskId: ship } }), 404, 'Task not found.');
  await isRejected(
    t,
    api.call('runs.tasks', 'bulkUpdate', { body: { taskIds: [ship], status: 'COMPLETED' } }),
    404,
    'Task not found.',
  );
  const pack = run.byTitle('Pack').runTaskId;
  t.like(await must(api.call('runs.tasks', 'get', { params: { taskId: pack } })), { title: 'Pack', retired: true });
  await isRejected(
    t,
    api.call('runs.tasks', 'setStatus', { params: { taskId: pack }, body: { status: 'PENDING' } }),
    400,
    'The task "Pack" is not part of the version that the run follows; migrate the run to a version with the task to change it.',
  );
  const listed = await must(api.call('runs.tasks', 'list', { query: { runId: run.id } }));
  t.deepEqual(titles(listed.data).toSorted(), ['Ask', 'Bill', 'Pack', 'Review']);

  t.like(await must(api.call('runs', 'migrateToLatest', { params: { id: run.id } })), {
    changed: false,
    tasks: { added: [], removed: [] },
  });
  const back = await must(api.call('runs', 'migrate', { params: { id: run.id }, body: { toVersionId: first } }));
  t.deepEqual(titles(back.tasks.added), ['Pack', 'Ship']);
  const undone = await getRun(api, run.id);
  t.deepEqual(
    undone.tasks.map(({ runTaskId, status, retired }) => [runTaskId, status, retired]),
    run.tasks.map(({ runTaskId, title }) => [runTaskId, title === 'Pack' ? 'COMPLETED' : 'PENDING', false]),
  );
  const restored = await must(api.call('execution', 'get', { params: { id: executionEntryId } }));
  t.deepEqual(
    restored.fieldValues.map(({ label, value }) => [label, value]),
    [
      ['Plan', 's'],
      ['Note', 'fragile'],
    ],
  );
  await isFolded(t, app, organizationId, run.id);
});

test('a value of a field that has another type can be submitted again under the same id', async (t) => {
  const { api, organizationId } = await newOrganization(app);
  const templateId = await publishDraft(api, [{ title: 'Ask', fields: [{ label: 'Size', type: 'TEXT' }] }]);
  const run = await launchRun(api, templateId);
  const body = { runTaskId: run.byTitle('Ask').runTaskId };
  const { id: executionEntryId } = await must(api.call('execution', 'open', { body }));
  const [ask] = await draftTasks(api, templateId);
  const field = ask?.fields[0];
  const runTaskFieldId = field?.id ?? '';
  await must(api.call('execution', 'submit', { body: { executionEntryId, runTaskFieldId, value: 'large' } }));
  const read = async () => {
    const { fieldValues } = await must(api.call('execution', 'get', { params: { id: executionEntryId } }));
    return fieldValues.map(({ id, value, type }) => ({ id, value, type }));
  };
  const [before] = await read();

  await publishVersion(api, templateId, ask && field ? [{ ...ask, fields: [{ ...field, type: 'NUMBER' }] }] : []);
  await must(api.call('runs', 'migrateToLatest', { params: { id: run.id } }));
  t.deepEqual(await read(), []);
  await must(api.call('execution', 'submit', { body: { executionEntryId, runTaskFieldId, value: 12 } }));
  t.deepEqual(await read(), [{ id: before?.id ?? '', value: 12, type: 'NUMBER' }]);
  const params = { fieldValueId: before?.id ?? '' };
  const history = await must(api.call('execution', 'valueHistory', { params }));
  t.deepEqual(
    history.data.map(({ value }) => value),
    [12, 'large'],
  );
  await isFolded(t, app, organizationId, run.id);
});

test('a migration completes a run whose last required task it removes, and a run that has ended cannot be migrated', async (t) => {
  const { api } = await newOrganization(app);
  const templateId = await publishDraft(api, [{ title: 'Pack' }, { title: 'Ship' }]);
  const [run, ended] = [await launchRun(api, templateId), await launchRun(api, templateId)];
  await complete(api, run.byTitle('Pack').runTaskId);
  await must(api.call('runs', 'cancel', { params: { id: ended.id } }));
  const [pack] = await draftTasks(api, templateId);
  await publishVersion(api, templateId, pack ? [pack] : []);

  const report = await must(api.call('runs', 'migrateToLatest', { params: { id: run.id } }));
  t.deepEqual(report.status, { before: 'RUNNING', after: 'COMPLETED' });
  t.like(await must(api.call('runs', 'migrateToLatest', { params: { id: run.id } })), { changed: false });
  for (const dryRun of [true, false]) {
    await isRejected(
      t,
      api.call('runs', 'migrateToLatest', { params: { id: ended.id }, body: { dryRun } }),
      400,
      'The run is CANCELLED; reopen it first.',
    );
  }
});

test('a version of another template is rejected', async (t) => {
  const { api } = await newOrganization(app);
  const run = await launchRun(api, await publishDraft(api, [{ title: 'Pack' }]));
  const other = await launchRun(api, await publishDraft(api, [{ title: 'Ship' }]));
  await isRejected(
    t,
    api.call('runs', 'migrate', { params: { id: run.id }, body: { toVersionId: other.templateVersionId } }),
    400,
    [`toVersionId: the template of the run has no such version; see GET /templates/${run.templateId}/versions`],
  );
});

test('tasks that are changed while their run is migrated keep the change', async (t) => {
  const { api, organizationId } = await newOrganization(app);
  const templateId = await publishDraft(api, [
    { title: 'Pack' },
    { title: 'Ship', required: false },
    { title: 'Bill' },
  ]);
  const run = await launchRun(api, templateId);
  const [pack, ship] = await draftTasks(api, templateId);
  const second = await publishVersion(api, templateId, [...(pack ? [pack] : []), ...(ship ? [ship] : [])]);
  const migrate = (toVersionId: string) =>
    api.call('runs', 'migrate', { params: { id: run.id }, body: { toVersionId } });
  const setStatus = (status: 'PENDING' | 'COMPLETED') =>
    api.call('runs.tasks', 'setStatus', { params: { taskId: run.byTitle('Ship').runTaskId }, body: { status } });

  const calls = [
    ...Array.from({ length: 4 }, (_, index) => migrate(index % 2 === 0 ? second : run.templateVersionId)),
    ...Array.from({ length: 4 }, (_, index) => setStatus(index % 2 === 0 ? 'COMPLETED' : 'PENDING')),
  ];
  for (const { status } of await Promise.all(calls)) t.true(status === 200 || status === 204);
  await isFolded(t, app, organizationId, run.id);
});
