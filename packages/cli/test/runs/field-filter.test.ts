import { launchRun, must } from '@runward/testing/process';
import test from 'ava';
import { useServer } from '../support/service.ts';

const { newWorkplace } = useServer(test);

test('runs and tasks are listed, exported and saved as a view by what was filled in', async (t) => {
  const { org, data, runward } = await newWorkplace();
  const { api } = org;
  const { id } = await must(api.call('templates', 'create', { body: { name: 'Purchase' } }));
  const fields = [
    { label: 'Amount', type: 'NUMBER' as const, searchable: true },
    { label: 'Supplier', type: 'TEXT' as const, searchable: true },
    { label: 'Buyer', type: 'USER' as const, searchable: true },
    { label: 'Urgent', type: 'CHECKBOX' as const, searchable: true },
    { label: 'Note', type: 'TEXT' as const },
  ];
  const body = { phases: [], tasks: [{ title: 'Order', fields }], variables: [{ key: 'region', searchable: true }] };
  await must(api.call('templates.draft', 'replace', { params: { id }, body }));
  await must(api.call('templates', 'publish', { params: { id } }));
  const order = async (title: string, region: string, ...values: string[]) => {
    const run = await launchRun(api, id, { title, variables: { region } });
    await runward(['tasks', 'complete', run.id, 'Order', ...values.flatMap((value) => ['--value', value])]);
  };
  await order('One', 'EMEA', 'amount=12000', 'supplier=ACME', `buyer=${org.ownerEmail}`);
  await order('Two', 'APAC', 'amount=10000', 'supplier=acme sons', 'urgent=true');

  const titles = async (...conditions: string[]) => {
    const given = conditions.flatMap((condition) => ['--field', condition]);
    const runs: { title: string }[] = await data(['runs', 'list', ...given]);
    return runs.map(({ title }) => title).toSorted();
  };
  t.deepEqual(await titles('Amount>10000'), ['One']);
  t.deepEqual(await titles('amount >= 10000'), ['One', 'Two']);
  t.deepEqual(await titles('Supplier~acme', 'Amount<=10000'), ['Two']);
  t.deepEqual(await titles(`Buyer=${org.ownerEmail}`), ['One']);
  t.deepEqual(await titles('Buyer='), ['Two']);
  t.deepEqual(await titles('Buyer~'), ['One']);
  t.deepEqual(await titles('urgent=yes'), ['Two']);
  t.deepEqual(await titles('region=emea'), ['One']);

  await runward(['views', 'create', 'Large', '--field', 'Amount>10000']);
  const [run] = await data<{ title: string }[]>(['runs', 'list', '--view', 'Large']);
  t.is(run?.title, 'One');
  t.regex((await runward(['runs', 'export', '--field', 'Amount>10000'])).stdout, /One/);
  t.deepEqual(await data(['tasks', 'list', '--status', 'COMPLETED', '--field', 'Amount>10000']), []);

  const failure = async (condition: string) => (await runward(['runs', 'list', '--field', condition])).stderr;
  t.regex(await failure('Amuont>1'), /No searchable field is called "Amuont"\. Did you mean "Amount"\?/);
  t.regex(
    await failure('Note=1'),
    /No searchable field is called "Note"\. The searchable fields are: "Amount", "Buyer", /,
  );
  const condition = await runward(['runs', 'list', '--field', 'Amount']);
  t.is(condition.code, 2);
  t.regex(condition.stderr, /"Amount" is no condition; write a name/);
  t.regex(await failure('Amount~1'), /"~" does not compare "Amount", which is a NUMBER; use = > < >= <=/);
  t.regex(await failure('Amount>much'), /values\[0\]\.value: must be a number, like 12\.5/);
});
