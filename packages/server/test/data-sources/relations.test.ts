import { newOrganization } from '@runward/testing/organization';
import { must } from '@runward/testing/process';
import { useSharedApp } from '@runward/testing/use-shared-app';
import test from 'ava';
import { newSource } from '../support/data-sources.ts';
import { isRejected } from '../support/expect-rejection.ts';

const app = useSharedApp(test);

test('rows are linked and unlinked, and both see the link in their relations and timelines', async (t) => {
  const { api } = await newOrganization(app);
  const countries = await newSource(api, ['Name'], 'Countries');
  const [germany = '', france = ''] = await countries.addRows({ Name: 'Germany' }, { Name: 'France' });
  const relation = (name: string, multiple: boolean) => ({
    name,
    type: 'RELATION' as const,
    config: { dataSourceId: countries.id, multiple },
  });
  const source = await newSource(api, ['Name', relation('Seat', false), relation('Delivers to', true)]);
  const { id } = source;
  const [acme = ''] = await source.addRows({ Name: 'Acme' });
  const linkOf = (column: string, toRowId: string, fromRowId = acme) => ({
    params: { id },
    body: { columnId: source.column(column), fromRowId, toRowId },
  });
  const link = (...of: Parameters<typeof linkOf>) => api.call('dataSources.relations', 'link', linkOf(...of));
  const unlink = (...of: Parameters<typeof linkOf>) => api.call('dataSources.relations', 'unlink', linkOf(...of));
  const relationsOf = async (dataSourceId: string, rowId: string) =>
    (await must(api.call('dataSources.rows', 'relations', { params: { id: dataSourceId, rowId } }))).data;

  t.deepEqual((await link('Seat', germany)).body, linkOf('Seat', germany).body);
  t.is((await link('Seat', germany)).status, 201);
  await isRejected(t, link('Seat', france), 400, [
    'fromRowId: the row has a link in this column already, and the column allows only one; remove it first',
  ]);
  await must(link('Delivers to', germany));
  await must(link('Delivers to', france));
  t.deepEqual((await relationsOf(id, acme)).map(({ direction, row }) => `${direction} ${row.label}`).toSorted(), [
    'OUT France',
    'OUT Germany',
    'OUT Germany',
  ]);
  const seen = await relationsOf(countries.id, france);
  t.deepEqual(seen, [
    { columnId: source.column('Delivers to'), direction: 'IN', row: { id: acme, dataSourceId: id, label: 'Acme' } },
  ]);
  const filters = JSON.stringify([{ columnId: source.column('Seat'), operator: 'IS_EMPTY' }]);
  t.deepEqual(await source.list({ filters }), []);

  await isRejected(t, link('Seat', acme), 400, [
    `toRowId: no row of the data source ${countries.id}, which the column links to; see GET /data-sources/${countries.id}/rows`,
  ]);
  await isRejected(t, link('Seat', germany, france), 400, [
    'fromRowId: no row of this data source; see GET /data-sources/:id/rows',
  ]);
  await isRejected(t, link('Name', germany), 400, [
    'columnId: no RELATION column of this data source; see GET /data-sources/:id',
  ]);
  await isRejected(t, unlink('Seat', france), 404, 'Link not found.');
  t.is((await unlink('Seat', germany)).status, 204);
  t.deepEqual(await source.list({ filters }), [acme]);

  // Deleting a row removes its links; the other ends remember it.
  const remove = api.call('dataSources.rows', 'delete', { params: { id: countries.id, rowId: france } });
  t.is((await remove).status, 204);
  const timeline = await must(api.call('dataSources.rows', 'timeline', { params: { id, rowId: acme } }));
  t.deepEqual(
    timeline.data.map(({ type, changes }) => [type, changes[0]?.before, changes[0]?.after]),
    [
      ['UNLINKED', france, null],
      ['UNLINKED', germany, null],
      ['LINKED', null, france],
      ['LINKED', null, germany],
      ['LINKED', null, germany],
      ['CREATED', null, 'Acme'],
    ],
  );
  const column = { id, columnId: source.column('Delivers to') };
  await isRejected(t, api.call('dataSources.columns', 'update', { params: column, body: { type: 'TEXT' } }), 400, [
    'type: the column has 1 links, which no other type can hold; remove them first',
  ]);
  t.is((await api.call('dataSources.columns', 'delete', { params: column })).status, 204);
  t.deepEqual(await relationsOf(countries.id, germany), []);
});

test('links made concurrently in both directions, and deletions, neither block each other nor leave a link without its rows', async (t) => {
  const { api } = await newOrganization(app);
  const [one, two] = [await newSource(api, ['Name'], 'One'), await newSource(api, ['Name'], 'Two')];
  const columnTo = async ({ id }: { id: string }, dataSourceId: string) => {
    const body = { name: 'Others', type: 'RELATION' as const, config: { dataSourceId, multiple: true } };
    return (await must(api.call('dataSources.columns', 'create', { params: { id }, body }))).id;
  };
  const [forth, back] = [await columnTo(one, two.id), await columnTo(two, one.id)];
  const names = ['a', 'b', 'c', 'd', 'e', 'f'].map((Name) => ({ Name }));
  const [ones, twos] = [await one.addRows(...names), await two.addRows(...names)];
  const calls = ones.flatMap((row, index) => {
    const other = twos[index] ?? '';
    const link = (id: string, columnId: string, fromRowId: string, toRowId: string) =>
      api.call('dataSources.relations', 'link', { params: { id }, body: { columnId, fromRowId, toRowId } });
    return [
      () => link(one.id, forth, row, other),
      () => link(two.id, back, other, row),
      () => api.call('dataSources.rows', 'delete', { params: { id: two.id, rowId: other } }),
    ];
  });
  const statuses = await Promise.all(calls.map(async (call) => (await call()).status));
  t.deepEqual(
    statuses.filter((status) => ![201, 204, 400].includes(status)),
    [],
  );
  t.is(await two.rowCount(), 0);
  for (const rowId of ones) {
    const { total } = await must(api.call('dataSources.rows', 'relations', { params: { id: one.id, rowId } }));
    t.is(total, 0);
  }
});
