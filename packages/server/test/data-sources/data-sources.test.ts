import { newOrganization } from '@runward/testing/organization';
import { must } from '@runward/testing/process';
import { useSharedApp } from '@runward/testing/use-shared-app';
import test from 'ava';
import { newSource, statusColumn } from '../support/data-sources.ts';
import { isRejected } from '../support/expect-rejection.ts';

const app = useSharedApp(test);

test('a data source is created with columns of every kind, listed, renamed and deleted with its rows', async (t) => {
  const { api } = await newOrganization(app);
  const countries = await newSource(api, ['Name'], 'Countries');
  const columns = [
    'Name',
    { name: 'Since', type: 'DATE' as const },
    statusColumn('Status', 'Approved', 'On hold'),
    { name: 'Country', type: 'RELATION' as const, config: { dataSourceId: countries.id } },
  ];
  const made = await api.call('dataSources', 'create', { body: { name: 'Suppliers', columns } });
  t.is(made.status, 201);
  const { id } = made.body;
  t.like(made.body, { name: 'Suppliers', description: null, rowCount: 0 });
  t.deepEqual(
    made.body.columns.map(({ name, type, position, config }) => ({ name, type, position, config })),
    [
      { name: 'Name', type: 'TEXT', position: 0, config: null },
      { name: 'Since', type: 'DATE', position: 1, config: null },
      { name: 'Status', type: 'STATUS', position: 2, config: statusColumn('', 'Approved', 'On hold').config },
      { name: 'Country', type: 'RELATION', position: 3, config: { dataSourceId: countries.id, multiple: false } },
    ],
  );
  const { data } = await must(api.call('dataSources', 'list', { query: { limit: 1 } }));
  t.deepEqual(data, [made.body]);

  const body = { name: 'Vendors', description: 'Approved ones.' };
  t.like(await must(api.call('dataSources', 'update', { params: { id }, body })), body);
  const nameColumn = made.body.columns[0]?.id ?? '';
  await must(api.call('dataSources.rows', 'create', { params: { id }, body: { cells: { [nameColumn]: 'Acme' } } }));
  t.is((await must(api.call('dataSources', 'get', { params: { id } }))).rowCount, 1);

  await isRejected(
    t,
    api.call('dataSources', 'delete', { params: { id: countries.id } }),
    400,
    'The data source cannot be deleted while columns of other data sources link to it: "Country" of "Vendors"; delete these columns first.',
  );
  t.is((await api.call('dataSources', 'delete', { params: { id } })).status, 204);
  await isRejected(t, api.call('dataSources', 'get', { params: { id } }), 404, 'Data source not found.');
  t.is((await api.call('dataSources', 'delete', { params: { id: countries.id } })).status, 204);
});

test('a new data source with reserved, repeated or incomplete columns is rejected with every path', async (t) => {
  const { api } = await newOrganization(app);
  const create = (columns: unknown[]) => api.raw('POST', '/data-sources', { body: { name: 'Suppliers', columns } });
  await isRejected(t, create(['Name', 'CreatedAt']), 400, [
    'columns[1]: must not be one of the reserved names id, active, createdAt, updatedAt',
  ]);
  await isRejected(
    t,
    create([
      'Name',
      'name',
      { name: 'NAME', type: 'STATUS' },
      { name: 'Country', type: 'RELATION', config: { dataSourceId: '01900000-0000-7000-8000-000000000001' } },
      { name: 'Parent', type: 'RELATION' },
      { name: 'Note', config: { options: [{ key: 'a', label: 'A' }] } },
    ]),
    400,
    [
      'columns[1]: the data source has a column "Name" already; choose another name',
      'columns[2].name: the data source has a column "Name" already; choose another name',
      'columns[2].config: a STATUS column needs { "options": [{ "key", "label" }] }',
      'columns[3].config.dataSourceId: not a data source of this organization; see GET /data-sources',
      'columns[4].config: a RELATION column needs { "dataSourceId", "multiple"? }',
      'columns[5].config: a TEXT column has no configuration; leave it out',
    ],
  );
  await isRejected(t, create(Array.from({ length: 51 }, (_, index) => `Column ${index}`)), 400, [
    'columns: must contain at most 50 columns',
  ]);
  t.is((await must(api.call('dataSources', 'list'))).total, 0);
});
