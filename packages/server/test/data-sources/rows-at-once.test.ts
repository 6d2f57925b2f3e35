import { useApp } from '@runward/testing/app';
import { newOrganization } from '@runward/testing/organization';
import { must } from '@runward/testing/process';
import test from 'ava';
import { DataSourceRow } from '../../src/data-sources/entities/data-source-row.ts';
import { lockRow } from '../../src/database/lock-row.ts';
import { inTransaction } from '../../src/database/transaction.ts';
import { newSource } from '../support/data-sources.ts';
import { untilOthersWait } from '../support/database/locks.ts';

const app = useApp(test);

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
  const { first } = await inTransaction(app.database, async (em) => {
    await lockRow(em, DataSourceRow, { organizationId, id: germany }, 'no key update');
    const removal = removeFirst();
    await untilOthersWait((text) => em.execute(text));
    t.is((await removeOther()).status, 200);
    return { first: removal };
  });
  t.is((await first).status, 204);
  t.deepEqual([await countries.rowCount(), await suppliers.rowCount()], [0, 0]);
});
