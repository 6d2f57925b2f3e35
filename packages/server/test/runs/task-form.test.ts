import { newOrganization } from '@runward/testing/organization';
import { launchRun, must, publishProcess } from '@runward/testing/process';
import { useSharedApp } from '@runward/testing/use-shared-app';
import test from 'ava';
import { isRejected } from '../support/expect-rejection.ts';

const app = useSharedApp(test);
const unknown = '01900000-0000-7000-8000-000000000001';

/** A run whose task has a text field, one that a rule hides, and one that looks up suppliers. */
async function newForm() {
  const org = await newOrganization(app);
  const { api } = org;
  const body = { name: 'Suppliers', columns: ['Name', 'Bank account'] };
  const { id: dataSourceId, columns } = await must(api.call('dataSources', 'create', { body }));
  const [name, account] = columns.map(({ id }) => id);
  for (const supplier of ['Acme', 'Beta', 'Gamma']) {
    const cells = { [name ?? '']: supplier, [account ?? '']: 'DE89 3704 0044' };
    await must(api.call('dataSources.rows', 'create', { params: { id: dataSourceId }, body: { cells } }));
  }
  const lookup = { dataSourceId, labelColumnId: name ?? '', autoFill: [] };
  const { templateId, taskIds, fields } = await publishProcess(api, [
    {
      title: 'Order',
      description: 'Ask the **supplier**.',
      repeatable: true,
      fields: [
        { key: 'reason', label: 'Reason', type: 'TEXT' },
        { key: 'other', label: 'Other', type: 'TEXT' },
        { key: 'supplier', label: 'Supplier', type: 'DATA_SOURCE', dataSource: lookup },
      ],
    },
  ]);
  const fieldId = (key: string) => fields[key]?.id ?? '';
  const rule = {
    conditions: [
      { source: { type: 'FIELD' as const, fieldId: fieldId('reason') }, operator: 'EQUALS' as const, value: 'x' },
    ],
    actions: [{ type: 'SHOW' as const, fieldIds: [fieldId('other')] }],
  };
  const params = { id: templateId, taskId: taskIds['Order'] ?? '' };
  await must(api.call('templates.rules', 'create', { params, body: rule }));
  await must(api.call('templates', 'publish', { params: { id: templateId }, body: {} }));
  const run = await launchRun(api, templateId);
  return { org, api, templateId, run, fieldId, taskId: run.tasks[0]?.runTaskId ?? '' };
}

test('the form of a task has its instructions, fields and entries, newest first', async (t) => {
  const { api, run, taskId, fieldId } = await newForm();
  const form = await must(api.call('runs.tasks', 'form', { params: { taskId } }));
  t.deepEqual(form.task, await must(api.call('runs.tasks', 'get', { params: { taskId } })));
  t.is(form.description, 'Ask the **supplier**.');
  t.is(form.runVersion, (await must(api.call('runs', 'get', { params: { id: run.id } }))).version);
  t.deepEqual(
    form.fields.map(({ id }) => id),
    ['reason', 'other', 'supplier'].map(fieldId),
  );
  t.deepEqual(form.conditionalFieldIds, [fieldId('other')]);
  t.deepEqual(form.task.hiddenFieldIds, [fieldId('other')]);
  t.deepEqual(form.entries, []);
  const values = [{ runTaskFieldId: fieldId('reason'), value: 'Paper' }];
  const submit = { runTaskId: taskId, values, complete: false };
  const { entry: first } = await must(api.call('execution', 'submitForm', { body: submit }));
  const second = await must(api.call('execution', 'open', { body: { runTaskId: taskId } }));
  const { entries } = await must(api.call('runs.tasks', 'form', { params: { taskId } }));
  t.deepEqual(
    entries.map(({ id }) => id),
    [second.id, first.id],
  );
  t.is(entries[1]?.fieldValues[0]?.value, 'Paper');
});

test('rows for a field are found by their labels, and their other cells are not shown', async (t) => {
  const { api, taskId, fieldId } = await newForm();
  const rows = (query: { fieldId: string; search?: string; limit?: number; cursor?: string }) =>
    api.call('runs.tasks', 'formRows', { params: { taskId }, query });
  const all = await must(rows({ fieldId: fieldId('supplier'), limit: 2 }));
  t.deepEqual(
    all.data.map(({ label }) => label),
    ['Acme', 'Beta'],
  );
  t.deepEqual(Object.keys(all.data[0] ?? {}).sort(), ['id', 'label']);
  t.is(all.total, 3);
  const rest = await must(rows({ fieldId: fieldId('supplier'), limit: 2, cursor: all.nextCursor ?? '' }));
  t.deepEqual(
    rest.data.map(({ label }) => label),
    ['Gamma'],
  );
  t.is((await must(rows({ fieldId: fieldId('supplier'), search: 'bet' }))).total, 1);
  const byOtherCell = await must(rows({ fieldId: fieldId('supplier'), search: 'DE89' }));
  t.deepEqual([byOtherCell.total, byOtherCell.data], [0, []]);
  await isRejected(t, rows({ fieldId: fieldId('reason') }), 400, [
    'fieldId: must be a DATA_SOURCE field of the task; see GET /runs/tasks/:taskId/form',
  ]);
});

test('a task of another organization, a removed one, or one outside the scope of a key has no form', async (t) => {
  const { org, taskId } = await newForm();
  const other = await newForm();
  const { templateId: elsewhere } = await publishProcess(org.api, [{ title: 'Task' }]);
  const restricted = await org.key({
    scopes: ['runs:read'],
    resourceMode: 'SELECTED_TEMPLATES',
    scopedTemplateIds: [elsewhere],
  });
  for (const [api, id, status] of [
    [org.api, unknown, 404],
    [other.api, taskId, 404],
    [restricted, taskId, 403],
  ] as const) {
    const params = { taskId: id };
    t.is((await api.call('runs.tasks', 'form', { params })).status, status);
    const query = { fieldId: unknown };
    t.is((await api.call('runs.tasks', 'formRows', { params, query })).status, status);
  }
});
