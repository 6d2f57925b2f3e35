import { readFileSync } from 'node:fs';
import { filterQuery, scopes, type FieldValue, type ValueFilter } from '@runward/contract';
import { useApp } from '@runward/testing/app';
import { newOrganization, type TestOrganization } from '@runward/testing/organization';
import { launchRun, must } from '@runward/testing/process';
import { until } from '@runward/testing/until';
import test from 'ava';
import { indexValues } from '../../src/runs/change/index-values.ts';
import { isRejected } from '../support/expect-rejection.ts';
import { publishDraft } from '../support/templates.ts';

const app = useApp(test);

/** Fails the test that a run is left out of. */
const log = {
  warn: (...line: unknown[]) => {
    throw new Error(`Unexpected warning: ${JSON.stringify(line)}`);
  },
};

const unknown = 'not searchable; mark it in its template and publish that, or use one of GET /runs/searchable-fields';

const options = [
  { key: 'RED', label: 'Red' },
  { key: 'red', label: 'Dark red' },
  { key: 'blue', label: 'Blue' },
];

const fields = [
  { label: 'Supplier', type: 'TEXT' as const, searchable: true },
  { label: 'Amount', type: 'NUMBER' as const, searchable: true },
  { id: 'new:day', label: 'Day', type: 'DATE' as const, searchable: true },
  { label: 'Start', type: 'DATETIME' as const, searchable: true },
  { label: 'Urgent', type: 'CHECKBOX' as const, searchable: true },
  { id: 'new:color', label: 'Color', type: 'DROPDOWN' as const, options, searchable: true },
  { label: 'Colors', type: 'MULTI_SELECT' as const, options, searchable: true },
  { label: 'Buyer', type: 'USER' as const, searchable: true },
  { label: 'Note', type: 'TEXT' as const },
];

const hidesDay = {
  conditions: [
    { source: { type: 'FIELD' as const, fieldId: 'new:color' }, operator: 'EQUALS' as const, value: 'blue' },
  ],
  actions: [{ type: 'HIDE' as const, fieldIds: ['new:day'] }],
};

/** A template whose form has a field of every kind, and functions to launch, fill in and find its runs. */
async function purchases({ api }: TestOrganization) {
  const variables = [
    { key: 'region', type: 'TEXT' as const, searchable: true },
    { key: 'budget', type: 'NUMBER' as const, searchable: true, defaultValue: 10 },
    { key: 'secret', type: 'TEXT' as const },
  ];
  const templateId = await publishDraft(
    api,
    [{ title: 'Order', repeatable: true, fields, rules: [hidesDay] }, { title: 'Last' }],
    variables,
  );
  const { data } = await must(api.call('templates', 'publishedFields', { params: { id: templateId } }));
  const idOf = (label: string) => data.find((field) => field.label === label)?.runTaskFieldId ?? '';
  const submit = async (executionEntryId: string, values: Readonly<Record<string, FieldValue>>) => {
    for (const [label, value] of Object.entries(values)) {
      const body = { executionEntryId, runTaskFieldId: idOf(label), value };
      await must(api.call('execution', 'submit', { body }));
    }
  };
  const order = async (title: string, values: Readonly<Record<string, FieldValue>>, given = {}) => {
    const run = await launchRun(api, templateId, { title, variables: given });
    const { id: entryId } = await must(
      api.call('execution', 'open', { body: { runTaskId: run.byTitle('Order').runTaskId } }),
    );
    await submit(entryId, values);
    return { id: run.id, entryId };
  };
  const find = async (...values: ValueFilter[]) => {
    const query = filterQuery({ values });
    const { data: runs, total } = await must(api.call('runs', 'list', { query }));
    const counts = await must(api.call('runs', 'counts', { query }));
    const preview = await must(api.call('savedViews', 'preview', { body: { filters: { values } } }));
    const tasks = await must(api.call('runs.tasks', 'list', { query }));
    if (total !== runs.length || counts.total !== total || preview.total !== total || tasks.total !== 2 * total)
      throw new Error(`Totals differ: ${[runs.length, total, counts.total, preview.total, tasks.total].join(', ')}.`);
    return runs.map((run) => run.title).toSorted();
  };
  const by = (label: string, operator: ValueFilter['operator'], value?: ValueFilter['value']): ValueFilter => ({
    fieldId: idOf(label),
    operator,
    ...(value !== undefined && { value }),
  });
  return { templateId, idOf, submit, order, find, by };
}

test('runs and tasks are found by the values of every type of field, and by flow variables', async (t) => {
  const org = await newOrganization(app);
  const grace = await org.member('Grace');
  const { order, find, by } = await purchases(org);
  await order('A', {
    Supplier: 'ACME Σίσυφος',
    Amount: 100.5,
    Day: '2026-03-01',
    Urgent: true,
    Color: 'RED',
    Buyer: grace.id,
  });
  await order(
    'B',
    { Supplier: 'acme sons', Amount: 7, Start: '2026-03-01T10:00:00+01:00', Urgent: false, Colors: ['blue', 'red'] },
    { region: 'EMEA', budget: 500 },
  );
  await order('C', { Supplier: '100% other_', Day: '2026-05-01', Color: 'red' }, { region: 'emea' });

  const expected: [ValueFilter, string][] = [
    [by('Supplier', 'EQUALS', 'Acme Sons'), 'B'],
    [by('Supplier', 'CONTAINS', 'ACME'), 'AB'],
    [by('Supplier', 'CONTAINS', 'ΣΊΣΥΦΟΣ'), 'A'],
    [by('Supplier', 'CONTAINS', '0%'), 'C'],
    [by('Supplier', 'CONTAINS', 'r_'), 'C'],
    [by('Supplier', 'IN', ['acme sons', '100% OTHER_']), 'BC'],
    [by('Amount', 'EQUALS', 100.5), 'A'],
    [by('Amount', 'GREATER_THAN', 7), 'A'],
    [by('Amount', 'GREATER_OR_EQUAL', 7), 'AB'],
    [by('Amount', 'LESS_THAN', 100.5), 'B'],
    [by('Amount', 'IN', [7, 8]), 'B'],
    [by('Amount', 'IS_EMPTY'), 'C'],
    [by('Amount', 'IS_NOT_EMPTY'), 'AB'],
    [by('Day', 'AFTER', '2026-03-01'), 'C'],
    [by('Day', 'BEFORE', '2026-05-02'), 'AC'],
    [by('Day', 'EQUALS', '2026-03-01'), 'A'],
    [by('Start', 'EQUALS', '2026-03-01T09:00:00Z'), 'B'],
    [by('Start', 'AFTER', '2026-03-01T08:59:59Z'), 'B'],
    [by('Urgent', 'EQUALS', true), 'A'],
    [by('Urgent', 'EQUALS', false), 'B'],
    [by('Color', 'EQUALS', 'RED'), 'A'],
    [by('Color', 'IN', ['red', 'blue']), 'C'],
    [by('Colors', 'CONTAINS', 'blue'), 'B'],
    [by('Colors', 'CONTAINS', 'blu'), ''],
    [by('Buyer', 'EQUALS', grace.id), 'A'],
    [{ variable: 'region', operator: 'EQUALS', value: 'Emea' }, 'BC'],
    [{ variable: 'budget', operator: 'EQUALS', value: 10 }, 'AC'],
  ];
  for (const [filter, titles] of expected) t.is((await find(filter)).join(''), titles, JSON.stringify(filter));
  t.deepEqual(await find(by('Supplier', 'CONTAINS', 'acme'), by('Amount', 'GREATER_THAN', 7)), ['A']);
});

test('a run is found by the newest value of a visible field, until that is cleared', async (t) => {
  const { submit, order, find, by } = await purchases(await newOrganization(app));
  const { entryId } = await order('A', { Supplier: 'first', Day: '2026-03-01', Colors: ['RED', 'blue'] });
  t.deepEqual(await find(by('Supplier', 'EQUALS', 'first'), by('Colors', 'CONTAINS', 'blue')), ['A']);
  await submit(entryId, { Supplier: 'second', Colors: ['red'] });
  t.deepEqual(await find(by('Supplier', 'EQUALS', 'first')), []);
  t.deepEqual(await find(by('Colors', 'CONTAINS', 'blue')), []);
  t.deepEqual(await find(by('Supplier', 'EQUALS', 'second'), by('Colors', 'CONTAINS', 'red')), ['A']);
  await submit(entryId, { Supplier: null, Color: 'blue' });
  t.deepEqual(await find(by('Supplier', 'IS_NOT_EMPTY')), []);
  t.deepEqual(await find(by('Day', 'IS_NOT_EMPTY')), []);
  await submit(entryId, { Color: null });
  t.deepEqual(await find(by('Day', 'EQUALS', '2026-03-01')), ['A']);
});

test('filters that cannot be applied are rejected with what to do', async (t) => {
  const org = await newOrganization(app);
  const { api } = org;
  const { by } = await purchases(org);
  const other = await newOrganization(app);
  const foreign = await purchases(other);
  const list = (client: typeof api, ...values: ValueFilter[]) =>
    client.call('runs', 'list', { query: filterQuery({ values }) });
  await isRejected(t, list(api, by('Note', 'EQUALS', 'x')), 400, [`values[0].fieldId: ${unknown}`]);
  await isRejected(t, list(api, foreign.by('Supplier', 'EQUALS', 'x')), 400, [`values[0].fieldId: ${unknown}`]);
  await isRejected(t, list(api, { variable: 'secret', operator: 'EQUALS', value: 'x' }), 400, [
    `values[0].variable: ${unknown}`,
  ]);
  await isRejected(t, list(api, by('Amount', 'CONTAINS', 'x')), 400, [
    'values[0].operator: CONTAINS does not fit the type NUMBER; use one of EQUALS, GREATER_THAN, LESS_THAN, GREATER_OR_EQUAL, LESS_OR_EQUAL, IN, IS_EMPTY, IS_NOT_EMPTY',
  ]);
  await isRejected(t, list(api, by('Amount', 'EQUALS', 'x')), 400, ['values[0].value: must be a number, like 12.5']);
  await isRejected(t, list(api, by('Amount', 'EQUALS')), 400, ['values[0].value: is required with EQUALS']);
  await isRejected(t, list(api, { operator: 'EQUALS', value: 'x' }), 400, [
    'values[0]: must have either fieldId or variable',
  ]);
  await isRejected(t, api.call('runs', 'list', { query: { values: 'Amount' } }), 400, [
    'values: must be a JSON list like [{"fieldId":"…","operator":"EQUALS","value":"…"}]',
  ]);
});

test('the conditions that the guide shows are accepted', async (t) => {
  const guide = readFileSync(new URL('../../../../docs/guides/api.md', import.meta.url), 'utf8');
  const [, json = ''] = /^```json\n(\[[^]*?)^```$/m.exec(guide) ?? [];
  const shown: ValueFilter[] = JSON.parse(json);
  const { order, find, by } = await purchases(await newOrganization(app));
  await order('A', { Supplier: 'ACME' }, { budget: 20_000 });
  const ours = shown.map(({ fieldId, ...filter }) =>
    fieldId === undefined ? filter : by('Supplier', filter.operator, filter.value),
  );
  t.deepEqual(await find(...ours), ['A']);
});

test('a restricted key lists what it can find runs by, and finds only its runs', async (t) => {
  const org = await newOrganization(app);
  const [one, two] = [await purchases(org), await purchases(org)];
  await one.order('One', {}, { region: 'here' });
  await two.order('Two', { Supplier: 'x' }, { region: 'here' });
  const key = await org.key({ scopes, resourceMode: 'SELECTED_TEMPLATES', scopedTemplateIds: [one.templateId] });
  const { data, total } = await must(key.call('runs', 'searchableFields', { query: {} }));
  t.is(total, 10);
  t.true(data.every(({ templateId, status }) => templateId === one.templateId && status === 'READY'));
  t.is((await must(org.api.call('runs', 'searchableFields', { query: {} }))).total, 20);
  const byRegion = filterQuery({ values: [{ variable: 'region', operator: 'EQUALS', value: 'here' }] });
  t.deepEqual(
    (await must(key.call('runs', 'list', { query: byRegion }))).data.map(({ title }) => title),
    ['One'],
  );
  const query = filterQuery({ values: [two.by('Supplier', 'EQUALS', 'x')] });
  t.is((await key.call('runs', 'list', { query })).status, 403);
});

test('runs that exist are found once they are read, also those that have ended', async (t) => {
  const org = await newOrganization(app);
  const { api } = org;
  const { templateId, idOf, order, by } = await purchases(org);
  const run = await order('Ended', { Note: 'old', Amount: 1 });
  await order('Active', { Note: 'old' });
  await must(api.call('runs', 'cancel', { params: { id: run.id } }));
  await mark(api, templateId, idOf('Note'), true);
  await mark(api, templateId, idOf('Amount'), false);
  await must(api.call('templates', 'publish', { params: { id: templateId }, body: {} }));
  const query = filterQuery({ values: [by('Note', 'EQUALS', 'old')] });
  const titles = async () =>
    (await must(api.call('runs', 'list', { query }))).data.map(({ title }) => title).toSorted();
  await until(async () => {
    const { status } = await api.call('runs', 'list', { query });
    t.true(status === 200 || status === 503, String(status));
    await indexValues({ database: app.database, log });
    return status === 200;
  }, 'the runs to be read');
  t.deepEqual(await titles(), ['Active', 'Ended']);
  await isRejected(t, api.call('runs', 'list', { query: filterQuery({ values: [by('Amount', 'EQUALS', 1)] }) }), 400, [
    `values[0].fieldId: ${unknown}`,
  ]);
  const left = 'select count(*)::int as count from searchable_values where organization_id = $1 and source = $2';
  const count = async () =>
    (await app.provision.query<{ count: number }>(left, [org.organizationId, idOf('Amount')]))[0];
  await until(async () => (await count())?.count === 0, 'the values of the other field to be deleted');

  // This is what is left if changes that were decided before the publication are saved after their runs were read.
  await app.provision.query('delete from searchable_values where organization_id = $1', [org.organizationId]);
  t.deepEqual(await titles(), []);
  await app.provision.query(
    'update searchable_fields set due_at = now() where organization_id = $1 and due_at is not null',
    [org.organizationId],
  );
  await until(async () => {
    await indexValues({ database: app.database, log });
    return (await titles()).length === 2;
  }, 'the runs to be read once more');
  t.deepEqual(await titles(), ['Active', 'Ended']);
});

async function mark(api: TestOrganization['api'], id: string, fieldId: string, searchable: boolean): Promise<void> {
  const { tasks } = await must(api.call('templates.draft', 'get', { params: { id } }));
  const task = tasks.find((each) => each.fields.some((field) => field.id === fieldId));
  const params = { id, taskId: task?.id ?? '', fieldId };
  await must(api.call('templates.fields', 'update', { params, body: { searchable } }));
}
