import type { BodyInput, CellValue, Contract } from '@runward/contract';
import { newOrganization } from '@runward/testing/organization';
import { launchRun, must } from '@runward/testing/process';
import { useSharedApp } from '@runward/testing/use-shared-app';
import test from 'ava';
import { newSource, statusColumn } from '../../support/data-sources.ts';
import { isRejected } from '../../support/expect-rejection.ts';

const app = useSharedApp(test);

const columns = [
  'Name',
  'Street',
  { name: 'Limit', type: 'NUMBER' as const },
  { name: 'Since', type: 'DATE' as const },
  statusColumn('Status', 'Approved'),
];

/** A published template whose field `supplier` fills four others from a row, and an open entry of its task. */
async function lookupForm() {
  const org = await newOrganization(app);
  const { api } = org;
  const source = await newSource(api, columns);
  const rows = await source.addRows(
    { Name: 'Acme', Street: '1 Main Street', Limit: 2500.5, Since: '2020-02-29', Status: 'a' },
    { Name: 'Hooli', Street: '2 Side Street' },
  );
  const template = await must(api.call('templates', 'create', { body: { name: 'Orders' } }));
  const { id } = template;
  const task = await must(api.call('templates.tasks', 'create', { params: { id }, body: { title: 'Order' } }));
  const params = { id, taskId: task.id };
  const addField = (body: BodyInput<Contract['templates.fields']['create']>) =>
    must(api.call('templates.fields', 'create', { params, body }));
  const street = await addField({ label: 'Street', type: 'TEXT' });
  const limit = await addField({ label: 'Limit', type: 'NUMBER' });
  const since = await addField({ label: 'Since', type: 'DATE' });
  const status = await addField({ label: 'Status', type: 'TEXT' });
  const fill = (column: string, fieldId: string) => ({ columnId: source.column(column), fieldId });
  const dataSource = {
    dataSourceId: source.id,
    labelColumnId: source.column('Name'),
    autoFill: [fill('Street', street.id), fill('Limit', limit.id), fill('Since', since.id), fill('Status', status.id)],
  };
  const supplier = await addField({ label: 'Supplier', type: 'DATA_SOURCE', required: true, dataSource });
  const keys = { supplier: supplier.id, street: street.id, limit: limit.id, since: since.id, status: status.id };
  await must(api.call('templates', 'publish', { params: { id } }));
  const { id: runId, byTitle } = await launchRun(api, id);
  const { runTaskId } = byTitle('Order');
  const entry = await must(api.call('execution', 'open', { body: { runTaskId } }));
  const executionEntryId = entry.id;
  const names = Object.fromEntries(Object.entries(keys).map(([name, fieldId]) => [fieldId, name]));
  const submit = (values: Partial<Record<keyof typeof keys, CellValue>>) => {
    const list = Object.entries(values).map(([name, value]) => ({
      runTaskFieldId: keys[name as keyof typeof keys],
      value,
    }));
    return api.call('execution', 'submitBatch', { body: { executionEntryId, values: list } });
  };
  const filledBy = async (answer: ReturnType<typeof submit>) =>
    Object.fromEntries((await must(answer)).autoFilledFields.map((each) => [names[each.runTaskFieldId], each.value]));
  const read = () => must(api.call('execution', 'get', { params: { id: executionEntryId } }));
  const values = async () =>
    Object.fromEntries((await read()).fieldValues.map((each) => [names[each.runTaskFieldId], each.value]));
  return { org, api, source, rows, id, runId, params, keys, submit, filledBy, read, values };
}

test('summaries show a row by the label it had when it was chosen', async (t) => {
  const { api, source, rows, runId, submit } = await lookupForm();
  const [acme = ''] = rows;
  const shown = async () => {
    const { data } = await must(api.call('runs', 'summaries', { params: { id: runId } }));
    return data[0]?.fields.find(({ label }) => label === 'Supplier')?.displayValue;
  };
  await must(submit({ supplier: acme }));
  const before = await shown();
  t.regex(before ?? '', /acme/i);
  const params = { id: source.id, rowId: acme };
  const body = { cells: source.cells({ Name: 'Renamed' }) };
  await must(api.call('dataSources.rows', 'update', { params, body }));
  t.is(await shown(), before);
});

test('submitting a row fills other fields in the same change, and clearing it clears what nobody has changed', async (t) => {
  const { api, source, rows, keys, submit, filledBy, read, values } = await lookupForm();
  const [acme = '', hooli = ''] = rows;
  const all = { street: '1 Main Street', limit: 2500.5, since: '2020-02-29', status: 'Approved' };
  t.deepEqual(await filledBy(submit({ supplier: acme })), all);
  t.deepEqual(await values(), { supplier: acme, ...all });

  // An empty cell clears what the row before has filled.
  const rest = { limit: null, since: null, status: null };
  t.deepEqual(await filledBy(submit({ supplier: hooli })), { street: '2 Side Street', ...rest });
  t.deepEqual(await filledBy(submit({ limit: 7 })), {});
  // A field of the same submission wins; values that somebody has submitted since stay.
  t.deepEqual(await filledBy(submit({ supplier: acme, street: 'Elsewhere' })), {
    limit: 2500.5,
    since: '2020-02-29',
    status: 'Approved',
  });
  await must(submit({ limit: 8 }));
  t.deepEqual(await filledBy(submit({ supplier: null })), { since: null, status: null });
  t.deepEqual(await values(), { supplier: null, street: 'Elsewhere', limit: 8, since: null, status: null });

  // The history keeps the label of a row that was deleted.
  await must(submit({ supplier: hooli }));
  const gone = api.call('dataSources.rows', 'delete', { params: { id: source.id, rowId: hooli } });
  t.is((await gone).status, 204);
  const value = (await read()).fieldValues.find((each) => each.runTaskFieldId === keys.supplier);
  t.like(value, { value: hooli, rowLabel: 'Hooli' });
  const fieldValueId = value?.id ?? '';
  const history = await must(api.call('execution', 'valueHistory', { params: { fieldValueId } }));
  t.deepEqual(
    history.data.map((each) => each.rowLabel),
    ['Hooli', null, 'Acme', 'Hooli', 'Acme'],
  );
  await isRejected(t, submit({ supplier: hooli }), 400, [
    'values[0].value: "Supplier" must be an active row of its data source; see GET /data-sources/:id/lookup',
  ]);
});

test('a lookup lists active rows by their label; inactive ones and rows of other sources cannot be submitted', async (t) => {
  const { api, source, rows, keys, submit } = await lookupForm();
  const [acme = '', hooli = ''] = rows;
  const look = (query: { templateFieldId: string; search?: string; limit?: number }) =>
    api.call('dataSources', 'lookup', { params: { id: source.id }, query });
  const labels = async (search: string) =>
    (await must(look({ templateFieldId: keys.supplier, search }))).data.map(({ id, label }) => [id, label]);
  t.deepEqual(await labels(''), [
    [acme, 'Acme'],
    [hooli, 'Hooli'],
  ]);
  t.deepEqual(await labels('SIDE'), [[hooli, 'Hooli']]);
  const params = { id: source.id, rowId: hooli };
  await must(api.call('dataSources.rows', 'update', { params, body: { active: false } }));
  t.deepEqual(await labels(''), [[acme, 'Acme']]);
  const other = await newSource(api, ['Name']);
  const [foreign = ''] = await other.addRows({ Name: 'Elsewhere' });
  for (const supplier of [hooli, foreign]) t.is((await submit({ supplier })).status, 400);
  // What was chosen before stays valid.
  await must(submit({ supplier: acme }));
  const deactivated = { params: { id: source.id, rowId: acme }, body: { active: false } };
  await must(api.call('dataSources.rows', 'update', deactivated));
  t.is((await submit({ supplier: acme })).status, 201);
  await isRejected(t, look({ templateFieldId: keys.street }), 400, [
    'templateFieldId: must be a DATA_SOURCE field that looks up rows of this data source; see its dataSource',
  ]);
});

test('a field of an older version, which a run follows, still looks up its rows', async (t) => {
  const { api, source, rows, id, params, keys, submit } = await lookupForm();
  const look = (dataSourceId: string) =>
    api.call('dataSources', 'lookup', { params: { id: dataSourceId }, query: { templateFieldId: keys.supplier } });
  const publish = () => must(api.call('templates', 'publish', { params: { id } }));
  const other = await newSource(api, ['Name'], 'Customers');
  const dataSource = { dataSourceId: other.id, labelColumnId: other.column('Name'), autoFill: [] };
  const field = { ...params, fieldId: keys.supplier };
  await must(api.call('templates.fields', 'update', { params: field, body: { dataSource } }));
  await publish();
  t.is((await must(look(source.id))).total, 2);
  t.is((await must(look(other.id))).total, 0);
  await must(api.call('templates.fields', 'delete', { params: field }));
  await publish();
  t.is((await must(look(source.id))).total, 2);
  await must(submit({ supplier: rows[0] ?? '' }));
  t.is((await look(id)).status, 404);
});

test('a field of a template outside the resource scope is not looked up, and messages do not name the template', async (t) => {
  const { org, source, id, keys } = await lookupForm();
  const foreign = await must(org.api.call('templates', 'create', { body: { name: 'Other' } }));
  const keyFor = (...scopedTemplateIds: string[]) =>
    org.key({
      scopes: ['data-sources:read', 'data-sources:write'],
      resourceMode: 'SELECTED_TEMPLATES',
      scopedTemplateIds,
    });
  const look = async (scopedTemplateId: string) => {
    const key = await keyFor(scopedTemplateId);
    return key.call('dataSources', 'lookup', { params: { id: source.id }, query: { templateFieldId: keys.supplier } });
  };
  t.is((await look(id)).status, 200);
  const { status, error } = await look(foreign.id);
  t.like({ status, code: error.code }, { status: 403, code: 'out_of_resource_scope' });
  const message =
    'The data source cannot be deleted while drafts or published versions of templates look up its rows: ' +
    '1 outside the resource scope; change these fields and publish first.';
  const key = await keyFor(foreign.id);
  await isRejected(t, key.call('dataSources', 'delete', { params: { id: source.id } }), 400, message);
});

test('what an active run looks up in an older version cannot be deleted until the run is migrated or ends', async (t) => {
  const { api, source, id, runId, params, keys } = await lookupForm();
  const { id: other } = await launchRun(api, id);
  await must(api.call('templates.fields', 'delete', { params: { ...params, fieldId: keys.supplier } }));
  await must(api.call('templates', 'publish', { params: { id } }));
  const column = { id: source.id, columnId: source.column('Limit') };
  const remove = () => api.call('dataSources', 'delete', { params: { id: source.id } });
  const removeColumn = () => api.call('dataSources.columns', 'delete', { params: column });
  const follow = 'while active runs follow older versions of templates that';
  const first = '"Orders"; migrate these runs to the latest version, or complete or cancel them first.';
  await isRejected(t, remove(), 400, `The data source cannot be deleted ${follow} look up its rows: ${first}`);
  await isRejected(t, removeColumn(), 400, `The column cannot be deleted ${follow} use it: ${first}`);
  const update = api.call('dataSources.columns', 'update', { params: column, body: { type: 'TEXT' } });
  await isRejected(
    t,
    update,
    400,
    `The column cannot become TEXT ${follow} fill fields from it that it would no longer fit: ${first}`,
  );
  await must(api.call('runs', 'migrateToLatest', { params: { id: runId } }));
  t.is((await removeColumn()).status, 400);
  await must(api.call('runs', 'cancel', { params: { id: other } }));
  t.is((await removeColumn()).status, 204);
  t.is((await remove()).status, 204);
});

test('what a template uses of a data source cannot be deleted, and what does not fit cannot be published', async (t) => {
  const { api, source, id, runId, params, keys } = await lookupForm();
  await must(api.call('runs', 'cancel', { params: { id: runId } }));
  const column = (name: string) => ({ id: source.id, columnId: source.column(name) });
  const used = 'of templates look up its rows: "Orders"; change these fields and publish first.';
  await isRejected(
    t,
    api.call('dataSources', 'delete', { params: { id: source.id } }),
    400,
    `The data source cannot be deleted while drafts or published versions ${used}`,
  );
  for (const name of ['Name', 'Street']) {
    const removed = await api.call('dataSources.columns', 'delete', { params: column(name) });
    t.regex(String(removed.error.message), /^The column cannot be deleted while .* "Orders"/);
  }
  const changed = await api.call('dataSources.columns', 'update', { params: column('Limit'), body: { type: 'TEXT' } });
  t.regex(String(changed.error.message), /^The column cannot become TEXT while .* "Orders"/);

  const change = (body: object) =>
    api.raw('PUT', `/templates/${id}/tasks/${params.taskId}/fields/${keys.supplier}`, { body });
  const lookup = { dataSourceId: source.id, labelColumnId: source.column('Name') };
  await isRejected(t, change({ dataSource: { ...lookup, autoFill: [{ columnId: id, fieldId: keys.street }] } }), 400, [
    'dataSource.autoFill[0].columnId: no column of the data source; see GET /data-sources/:id',
  ]);
  const [own, wrong] = [source.column('Street'), source.column('Since')];
  await isRejected(
    t,
    change({ dataSource: { ...lookup, autoFill: [{ columnId: own, fieldId: keys.supplier }] } }),
    400,
    ['dataSource.autoFill[0].fieldId: no other field of the task; use the id of one of them'],
  );
  const twice = [own, source.column('Name')].map((columnId) => ({ columnId, fieldId: keys.street }));
  const earlier = 'autoFill[1].fieldId: an earlier entry fills the field "Street" already; remove one of them';
  await isRejected(t, change({ dataSource: { ...lookup, autoFill: twice } }), 400, [`dataSource.${earlier}`]);
  const fields = [
    { id: 'new:street', label: 'Street', type: 'TEXT' },
    {
      label: 'Supplier',
      type: 'DATA_SOURCE',
      dataSource: { ...lookup, autoFill: twice.map(({ columnId }) => ({ columnId, fieldId: 'new:street' })) },
    },
  ];
  const draft = { phases: [], tasks: [{ title: 'Order', fields }], variables: [] };
  await isRejected(t, api.raw('PUT', `/templates/${id}/draft`, { body: draft }), 400, [
    `tasks[0].fields[1].dataSource.${earlier}`,
  ]);
  t.is((await change({ dataSource: { ...lookup, autoFill: [{ columnId: wrong, fieldId: keys.limit }] } })).status, 200);
  await isRejected(t, api.call('templates', 'publish', { params: { id } }), 400, [
    'The field "Supplier" of the task "Order" fills the NUMBER field "Limit" from a DATE column; choose another column or field.',
  ]);
  t.is((await change({ type: 'TEXT' })).status, 200);
  await must(api.call('templates', 'publish', { params: { id } }));
  t.is((await api.call('dataSources', 'delete', { params: { id: source.id } })).status, 204);
});
