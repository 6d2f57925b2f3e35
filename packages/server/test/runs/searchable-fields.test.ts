import { readFileSync } from 'node:fs';
import { filterQuery, scopes, type ValueFilter } from '@runward/contract';
import { newOrganization } from '@runward/testing/organization';
import { must } from '@runward/testing/process';
import { useSharedApp } from '@runward/testing/use-shared-app';
import test from 'ava';
import { isRejected } from '../support/expect-rejection.ts';
import { notSearchable, purchases } from './purchases.ts';

const app = useSharedApp(test);

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
  await isRejected(t, list(api, by('Note', 'EQUALS', 'x')), 400, [`values[0].fieldId: ${notSearchable}`]);
  await isRejected(t, list(api, foreign.by('Supplier', 'EQUALS', 'x')), 400, [`values[0].fieldId: ${notSearchable}`]);
  await isRejected(t, list(api, { variable: 'secret', operator: 'EQUALS', value: 'x' }), 400, [
    `values[0].variable: ${notSearchable}`,
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
