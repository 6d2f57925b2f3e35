import { useApp } from '@runward/testing/app';
import { newOrganization } from '@runward/testing/organization';
import { must } from '@runward/testing/process';
import test from 'ava';
import { newSource } from '../support/data-sources.ts';
import { isRejected } from '../support/expect-rejection.ts';

const app = useApp(test, { limits: { rowBytes: 1_000 } });

const tooLarge = (row: string, bytes: number) =>
  `${row} would take ${bytes} bytes as JSON, but the cells of a row can take at most 1000; shorten its texts`;

test('rows whose cells are larger than the limit are each named in a 400, when they are created or changed', async (t) => {
  const { api } = await newOrganization(app);
  const source = await newSource(api, ['Name', 'Note', { name: 'Number', type: 'NUMBER' }]);
  const { id, cells } = source;
  const [long, short] = [{ Note: 'ä'.repeat(500) }, { Note: 'ä'.repeat(450) }];
  const create = (...rows: Record<string, string>[]) =>
    api.call('dataSources.rows', 'bulkCreate', {
      params: { id },
      body: { rows: rows.map((row) => ({ cells: cells(row) })) },
    });
  await isRejected(t, create(long, short, long), 400, [
    tooLarge('rows[0].cells: the row', 1_043),
    tooLarge('rows[2].cells: the row', 1_043),
  ]);
  t.is(await source.rowCount(), 0);

  const [one = '', other = ''] = (await must(create(short, { Name: 'Short' }))).rowIds;
  const change = { rowIds: [one, other], cells: cells({ Name: 'x'.repeat(60) }) };
  await isRejected(t, api.call('dataSources.rows', 'bulkUpdate', { params: { id }, body: change }), 400, [
    tooLarge(`cells: the row ${one}`, 1_045),
  ]);
  const { data } = await must(api.call('dataSources.rows', 'list', { params: { id }, query: {} }));
  t.deepEqual(
    data.map((row) => row.cells),
    [cells({ Name: 'Short' }), cells(short)],
  );
});

test('a column whose cells would make a row larger than the limit keeps its type', async (t) => {
  const { api } = await newOrganization(app);
  const source = await newSource(api, ['Name', { name: 'Number', type: 'NUMBER' }]);
  const { id, cells, column } = source;
  const body = { cells: cells({ Name: 'x'.repeat(916), Number: 1 }) };
  const row = await must(api.call('dataSources.rows', 'create', { params: { id }, body }));
  const params = { id, columnId: column('Number') };
  await isRejected(t, api.call('dataSources.columns', 'update', { params, body: { type: 'TEXT' } }), 400, [
    tooLarge(`type: the row ${row.id}`, 1_002),
    'type: change these cells first; at most 20 are named',
  ]);
});
