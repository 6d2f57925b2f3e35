import { readFileSync } from 'node:fs';
import { must } from '@runward/testing/process';
import { repository } from '@runward/testing/program';
import test from 'ava';
import { useServer } from '../support/service.ts';

const { newWorkplace } = useServer(test);
const guide = readFileSync(new URL('../../../../docs/guides/data-sources.md', import.meta.url), 'utf8');

/** The lines of the guide's example, each as arguments of `runward`. */
function exampleLines(): string[][] {
  const blocks = [...guide.matchAll(/^```sh example\n([^]*?)^```$/gm)].map(([, text = '']) => text.trim());
  const words = (line: string) => [...line.matchAll(/(?:[^\s"]|"[^"]*")+/g)].map(([word]) => word.replaceAll('"', ''));
  return blocks.flatMap((text) => text.split('\n')).map((line) => words(line).slice(1));
}

test('the example of the guide to data sources does what the guide says, and its field matches the template', async (t) => {
  const work = await newWorkplace();
  const { api } = work.org;
  const results: unknown[] = [];
  let runId = '';
  for (const args of exampleLines()) {
    const { code, stdout, stderr } = await work.runward(
      args.map((word) => word.replace(/^RUN$/, runId)),
      { cwd: repository },
    );
    t.is(code, 0, stderr);
    results.push(JSON.parse(stdout));
    if (args[1] === 'launch') runId = (JSON.parse(stdout) as { id: string }).id;
  }
  t.is(results.length, 6);
  t.like(results[1], { rows: 4, new: 4, created: 4 });
  t.deepEqual(
    (results[5] as { Name: string }[]).map(({ Name }) => Name),
    ['Acme GmbH'],
  );

  const run = await must(api.call('runs', 'get', { params: { id: runId } }));
  const [order, check] = run.tasks;
  t.deepEqual([order?.status, check?.status], ['COMPLETED', 'PENDING']);
  const { data: fields } = await must(api.call('templates', 'publishedFields', { params: { id: run.templateId } }));
  const entries = await must(api.call('execution', 'entries', { params: { runTaskId: order?.runTaskId ?? '' } }));
  const values = entries.data[0]?.fieldValues ?? [];
  const valueOf = (key: string) =>
    values.find((one) => one.runTaskFieldId === fields.find((field) => field.key === key)?.runTaskFieldId);
  t.like(valueOf('supplier'), { rowLabel: 'Acme GmbH' });
  t.deepEqual(
    ['street', 'city', 'credit_limit', 'amount'].map((key) => valueOf(key)?.value),
    ['Hauptstraße 1', '10115 Berlin', 25000, 480],
  );

  const pulled = await work.data<{ tasks: { fields: object[] }[] }>(['templates', 'pull', 'Purchase order']);
  const [, field = ''] = /^```json\n(\{\n {2}"key": "supplier"[^]*?)^```$/m.exec(guide) ?? [];
  t.deepEqual(pulled.tasks[0]?.fields[0], JSON.parse(field));
  // A data source can be given by name or by id; another name is a difference.
  const file = JSON.stringify(pulled);
  t.deepEqual((await work.data<{ changes: object[] }>(['templates', 'plan', '-'], { input: file })).changes, []);
  const plan = await work.runward(['templates', 'plan', '-'], { input: file.replace('"Street"', '"Stret"') });
  t.regex(plan.stderr, /autoFill\[0\]\.column: no column has the name "Stret"; did you mean Street\?/);
  const other = await work.runward(['templates', 'plan', '-'], { input: file.replace('"Suppliers"', '"Vendors"') });
  t.regex(other.stderr, /dataSource\.dataSource: no data source has the name "Vendors"/);
});

test('tasks complete takes the label of a row, and says which rows fit if it is unknown or ambiguous', async (t) => {
  const work = await newWorkplace();
  await work.data(['data', 'create', 'Suppliers', '--column', 'Name', '--column', 'Street']);
  await work.data(['data', 'import', 'Suppliers', '-'], {
    input: 'Name,Street\nAcme,1 Main Street\nAcme,2 Side Street\nHooli,\n',
  });
  const dataSource = {
    dataSource: 'Suppliers',
    labelColumn: 'name',
    autoFill: [{ column: 'STREET', field: 'street' }],
  };
  const fields = [
    { key: 'supplier', label: 'Supplier', type: 'DATA_SOURCE', required: true, dataSource },
    { key: 'street', label: 'Street', type: 'TEXT', required: true },
  ];
  const input = JSON.stringify({ name: 'Order', tasks: [{ title: 'Buy', fields }, { title: 'Pay' }] });
  await work.data(['templates', 'apply', '-', '--publish', '--yes'], { input });
  const { id } = await work.data<{ id: string }>(['runs', 'launch', '--template', 'Order', '--title', 'Pens']);
  const buy = (supplier: string) => work.runward(['tasks', 'complete', id, 'Buy', '--value', `supplier=${supplier}`]);

  const unknown = await buy('Acm');
  t.is(unknown.code, 3);
  t.regex(unknown.stderr, /No row of "Supplier" is named "Acm"\. Did you mean "Acme"\?/);
  const ambiguous = await buy('acme');
  t.is(ambiguous.code, 2);
  const [, rowId = ''] =
    /"acme" fits several rows of "Supplier"; use the ID of one:\s+(\S+)/.exec(ambiguous.stderr) ?? [];
  // Its street is empty, so it does not fill that field.
  t.regex((await buy('hooli')).stderr, /--value street=… {2}\(Street, TEXT\)/);
  t.is((await buy(rowId)).code, 0);
});
