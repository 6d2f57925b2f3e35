import { newOrganization } from '@runward/testing/organization';
import { must } from '@runward/testing/process';
import { useSharedApp } from '@runward/testing/use-shared-app';
import test from 'ava';
import { newSource, statusColumn } from '../support/data-sources.ts';
import { isRejected } from '../support/expect-rejection.ts';

const app = useSharedApp(test);

test('columns are added, renamed, reordered and deleted with their cells', async (t) => {
  const { api } = await newOrganization(app);
  const source = await newSource(api, ['Name', 'City']);
  const { id } = source;
  const [rowId = ''] = await source.addRows({ Name: 'Acme', City: 'Berlin' });
  const added = await must(api.call('dataSources.columns', 'create', { params: { id }, body: { name: 'Zip' } }));
  t.like(added, { name: 'Zip', type: 'TEXT', position: 2, config: null });

  const [name, city] = [source.column('Name'), source.column('City')];
  const update = (columnId: string, body: object) =>
    api.raw('PATCH', `/data-sources/${id}/columns/${columnId}`, { body });
  t.like((await update(city, { name: 'Town' })).body, { name: 'Town', type: 'TEXT' });
  t.is((await update(added.id, { name: added.name, type: added.type, config: added.config })).status, 200, 'as read');
  await isRejected(t, update(added.id, { name: 'TOWN' }), 400, [
    'name: the data source has a column "Town" already; choose another name',
  ]);
  const reorder = (columnIds: string[]) =>
    api.call('dataSources.columns', 'reorder', { params: { id }, body: { columnIds } });
  await isRejected(t, reorder([city, added.id]), 400, [
    `columnIds: the column "Name" (${name}) is missing; name every column once`,
  ]);
  const { data } = await must(reorder([added.id, city, name]));
  t.deepEqual(
    data.map((column) => [column.name, column.position]),
    [
      ['Zip', 0],
      ['Town', 1],
      ['Name', 2],
    ],
  );

  t.is((await api.call('dataSources.columns', 'delete', { params: { id, columnId: city } })).status, 204);
  const { cells } = await must(api.call('dataSources.rows', 'get', { params: { id, rowId } }));
  t.deepEqual(cells, { [name]: 'Acme' });
  t.deepEqual(await source.list({ search: 'berlin' }), []);
  // The next column takes over the slot of the deleted one.
  const next = await must(api.call('dataSources.columns', 'create', { params: { id }, body: { name: 'Street' } }));
  const filters = JSON.stringify([{ columnId: next.id, operator: 'IS_EMPTY' }]);
  t.deepEqual(await source.list({ filters }), [rowId]);
  await isRejected(t, update(city, { name: 'Gone' }), 404, 'Column not found.');
});

test('a column with a reserved name, and an order that is no permutation, are rejected', async (t) => {
  const { api } = await newOrganization(app);
  const source = await newSource(api, ['Name', 'City']);
  const { id } = source;
  const [name, city] = [source.column('Name'), source.column('City')];
  const reserved = 'name: must not be one of the reserved names id, active, createdAt, updatedAt';
  await isRejected(t, api.raw('POST', `/data-sources/${id}/columns`, { body: { name: 'UPDATEDAT' } }), 400, [reserved]);
  await isRejected(t, api.raw('PATCH', `/data-sources/${id}/columns/${name}`, { body: { name: 'Id' } }), 400, [
    reserved,
  ]);
  await isRejected(t, api.raw('POST', `/data-sources/${id}/columns`, { body: { name: 'city' } }), 400, [
    'name: the data source has a column "City" already; choose another name',
  ]);
  const [composed, decomposed] = ['Zo\u00EB', 'ZOE\u0308'];
  const twice = await api.raw('POST', '/data-sources', { body: { name: 'Twice', columns: [composed, decomposed] } });
  t.regex([twice.error.message].flat().join(), /a column "Zo\u00EB" already/);
  const rename = (columnId: string, to: string) =>
    api.raw('PATCH', `/data-sources/${id}/columns/${columnId}`, { body: { name: to } });
  t.is((await rename(name, composed)).status, 200);
  t.is((await rename(city, decomposed)).status, 400);
  t.is((await rename(name, 'Name')).status, 200);
  const reorder = (columnIds: string[]) =>
    api.raw('PATCH', `/data-sources/${id}/columns/reorder`, { body: { columnIds } });
  await isRejected(t, reorder([city, name, id]), 400, [
    'columnIds[2]: no column of this data source; see GET /data-sources/:id',
  ]);
  t.is((await reorder([city, city])).status, 400);
  const { columns } = await must(api.call('dataSources', 'get', { params: { id } }));
  t.deepEqual(
    columns.map((column) => column.name),
    ['Name', 'City'],
  );
});

test('a text that a number cannot state exactly does not fit into a NUMBER column', async (t) => {
  const { api } = await newOrganization(app);
  const source = await newSource(api, ['Price']);
  const texts = ['1e-400', '1e400', '1234567890123456', '0x10'];
  const ids = await source.addRows(...[...texts, '0.0', '1e-300'].map((Price) => ({ Price })));
  const params = { id: source.id, columnId: source.column('Price') };
  await isRejected(t, api.call('dataSources.columns', 'update', { params, body: { type: 'NUMBER' } }), 400, [
    ...texts.map((text, index) => `type: the cell "${text}" of the row ${ids[index]} does not fit`),
    'type: change these cells first; at most 20 are named',
  ]);
});

test('a changed type converts every cell, or names the first 20 that do not fit and changes nothing', async (t) => {
  const { api } = await newOrganization(app);
  const source = await newSource(api, ['Price', 'Day', 'State', 'Flag']);
  const { id } = source;
  const ids = await source.addRows(
    { Price: ' 10.50 ', Day: '2026-03-01', State: 'Approved', Flag: 'TRUE' },
    { Price: '9', Day: '2026-03-01T00:00:00Z', State: 'o', Flag: 'false' },
    {},
  );
  const change = async (column: string, body: object) =>
    api.raw('PATCH', `/data-sources/${id}/columns/${source.column(column)}`, { body });
  const valuesOf = async (column: string) => {
    const rows = await Promise.all(
      ids.map((rowId) => must(api.call('dataSources.rows', 'get', { params: { id, rowId } }))),
    );
    return rows.map(({ cells }) => cells[source.column(column)]);
  };
  const { config } = statusColumn('', 'Approved', 'On hold');
  t.is((await change('Price', { type: 'NUMBER' })).status, 200);
  t.is((await change('Day', { type: 'DATE' })).status, 200);
  t.is((await change('State', { type: 'STATUS', config })).status, 200);
  t.is((await change('Flag', { type: 'BOOLEAN' })).status, 200);
  t.deepEqual(await valuesOf('Price'), [10.5, 9, undefined]);
  t.deepEqual(await valuesOf('Day'), ['2026-03-01', '2026-03-01', undefined]);
  t.deepEqual(await valuesOf('State'), ['a', 'o', undefined]);
  t.deepEqual(await valuesOf('Flag'), [true, false, undefined]);
  t.deepEqual(await source.list({ sort: source.column('Price') }), [ids[1], ids[0], ids[2]]);

  await isRejected(t, change('Price', { type: 'DATE' }), 400, [
    `type: the cell "10.5" of the row ${ids[0]} does not fit`,
    `type: the cell "9" of the row ${ids[1]} does not fit`,
    'type: change these cells first; at most 20 are named',
  ]);
  await isRejected(t, change('State', { config: { options: [{ key: 'a', label: 'Accepted' }] } }), 400, [
    `config: the cell "On hold" of the row ${ids[1]} does not fit`,
    'config: change these cells first; at most 20 are named',
  ]);
  await isRejected(t, change('Flag', { type: 'RELATION', config: { dataSourceId: id } }), 400, [
    `type: the cell "true" of the row ${ids[0]} does not fit`,
    `type: the cell "false" of the row ${ids[1]} does not fit`,
    'type: change these cells first; at most 20 are named',
  ]);
  const many = await source.addRows(...Array.from({ length: 30 }, () => ({ Price: 1 })));
  const { error } = await change('Price', { type: 'BOOLEAN' });
  t.is(error.message.length, 21);
  t.deepEqual((await valuesOf('Price')).slice(0, 2), [10.5, 9]);
  t.is(many.length, 30);

  t.is((await change('State', { type: 'TEXT' })).status, 200);
  t.deepEqual(await valuesOf('State'), ['Approved', 'On hold', undefined]);
});

test('a search finds STATUS cells by their labels, also after a label has changed', async (t) => {
  const { api } = await newOrganization(app);
  const source = await newSource(api, [statusColumn('Status', 'Approved', 'On hold')]);
  const { id } = source;
  const [approved, held] = await source.addRows({ Status: 'a' }, { Status: 'o' });
  t.deepEqual(await source.list({ search: 'PPROV' }), [approved]);
  const columnId = source.column('Status');
  const body = { config: statusColumn('', 'Accepted', 'On hold').config };
  await must(api.call('dataSources.columns', 'update', { params: { id, columnId }, body }));
  t.deepEqual(await source.list({ search: 'approv' }), []);
  t.deepEqual(await source.list({ search: 'accep' }), [approved]);
  const filters = JSON.stringify([{ columnId, operator: 'NOT_CONTAINS', value: 'accep' }]);
  t.deepEqual(await source.list({ filters }), [held]);
});
