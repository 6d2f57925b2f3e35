import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { must } from '@runward/testing/process';
import { until } from '@runward/testing/until';
import test from 'ava';
import { finished, newFolder, spawnCommand } from '../support/command.ts';
import { useServer } from '../support/service.ts';

const { newWorkplace } = useServer(test);

interface Imported {
  readonly new: number;
  readonly known: number;
  readonly created: number;
}

test('an import that is killed and repeated with a key creates every row exactly once', async (t) => {
  const work = await newWorkplace();
  const file = join(await newFolder(t), 'suppliers.csv');
  const lines = Array.from({ length: 15_000 }, (_, index) => `VAT${index},Supplier ${index}`);
  await writeFile(file, ['VAT,Name', ...lines].join('\n'));
  const { id } = await work.data<{ id: string }>([
    'data',
    'create',
    'Suppliers',
    '--column',
    'VAT',
    '--column',
    'Name',
  ]);
  const rowCount = async () => (await must(work.org.api.call('dataSources', 'get', { params: { id } }))).rowCount;
  const args = ['data', 'import', 'Suppliers', file, '--key', 'VAT', '-o', 'json'];

  const child = spawnCommand(args, { env: work.env });
  const ending = finished(child);
  // Once the rows of the first request exist, the second of three is under way.
  await until(async () => (await rowCount()) >= 5_000, '5,000 rows');
  child.kill('SIGKILL');
  t.is((await ending).code, null);
  const last = await work.data<Imported>(args);
  t.is(last.known + last.new, 15_000);
  t.true(last.known >= 5_000);
  t.is(await rowCount(), 15_000);
  const { columns } = await must(work.org.api.call('dataSources', 'get', { params: { id } }));
  for (const index of [0, 4_999, 5_000, 14_999]) {
    const filters = JSON.stringify([{ columnId: columns[0]?.id, operator: 'EQUALS', value: `vat${index}` }]);
    t.is((await must(work.org.api.call('dataSources.rows', 'list', { params: { id }, query: { filters } }))).total, 1);
  }
});

test('an import with a key creates rows again that were deleted, and recognizes keys however they are written', async (t) => {
  const work = await newWorkplace();
  const columns = ['--column', 'At:DATETIME', '--column', 'Number:NUMBER'];
  const { id } = await work.data<{ id: string }>(['data', 'create', 'Times', ...columns]);
  const load = (key: string, text: string) =>
    work.data<Imported>(['data', 'import', 'Times', '-', '--key', key, '-o', 'json'], { input: text });
  const text = 'At,Number\n2026-03-01T09:00:00+01:00,1.50\n2026-03-01T09:00:00Z,2\n';
  t.like(await load('At', text), { new: 2, created: 2 });
  t.like(await load('At', text), { known: 2, created: 0 });
  t.like(await load('Number', 'Number\n1.5\n'), { known: 1, created: 0 });

  const list = () => must(work.org.api.call('dataSources.rows', 'list', { params: { id } }));
  const rowIds = (await list()).data.map((row) => row.id);
  await must(work.org.api.call('dataSources.rows', 'bulkDelete', { params: { id }, body: { rowIds } }));
  t.like(await load('At', text), { new: 2, created: 2 });
  t.is((await list()).total, 2);
});
