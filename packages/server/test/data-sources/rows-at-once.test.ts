import { newOrganization } from '@runward/testing/organization';
import { must } from '@runward/testing/process';
import { useSharedApp } from '@runward/testing/use-shared-app';
import test from 'ava';
import { newSource } from '../support/data-sources.ts';
import { whileOther } from '../support/database/while-other.ts';

const app = useSharedApp(test);

test('two linked rows of two data sources are deleted at once', async (t) => {
  const { api, organizationId } = await newOrganization(app);
  const countries = await newSource(api, ['Name'], 'Countries');
  const [germany = ''] = await countries.addRows({ Name: 'Germany' });
  const config = { dataSourceId: countries.id, multiple: true };
  const suppliers = await newSource(api, ['Name', { name: 'Seat', type: 'RELATION', config }]);
  const [acme = ''] = await suppliers.addRows({ Name: 'Acme' });
  const body = { columnId: suppliers.column('Seat'), fromRowId: acme, toRowId: germany };
  await must(api.call('dataSources.relations', 'link', { params: { id: suppliers.id }, body }));
  const removeFirst = async () =>
    api.call('dataSources.rows', 'delete', { params: { id: countries.id, rowId: germany } });
  // Changes of single rows take turns, but not with those of several rows.
  const removeOther = async () =>
    api.call('dataSources.rows', 'bulkDelete', { params: { id: suppliers.id }, body: { rowIds: [acme] } });
  const lock = 'select from data_source_rows where organization_id = $1 and id = $2 for no key update';
  const first = await whileOther(app, (client) => client.query(lock, [organizationId, germany]), removeFirst, {
    meanwhile: async () => t.is((await removeOther()).status, 200),
  });
  t.is(first.status, 204);
  t.deepEqual([await countries.rowCount(), await suppliers.rowCount()], [0, 0]);
});
