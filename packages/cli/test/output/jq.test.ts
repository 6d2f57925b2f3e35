import test from 'ava';
import { useServer } from '../support/service.ts';

const { newWorkplace } = useServer(test);

test('--jq prints the result of an expression: strings without quotes, other values as JSON', async (t) => {
  const { data, runward } = await newWorkplace();
  for (const name of ['Hiring', 'Büro']) await data(['folders', 'create', '--name', name]);
  const jq = async (...args: string[]) => (await runward(['folders', 'list', '--jq', ...args])).stdout;
  t.is(await jq('.[].name'), 'Büro\nHiring\n');
  t.is(await jq('.[] | select(.name == "Hiring") | {name}'), '{\n  "name": "Hiring"\n}\n');
  t.is(
    await jq('{name, templateCount}', '-o', 'jsonl'),
    '{"name":"Büro","templateCount":0}\n{"name":"Hiring","templateCount":0}\n',
  );
  t.is(await jq('empty'), '');
  t.is((await runward(['api', 'GET', '/folders', '--jq', '.total'])).stdout, '2\n');
  const { code, stdout } = await runward(['analytics', '--jq', '.total']);
  t.deepEqual([code, stdout], [0, '0\n']);
});

test('an invalid expression for --jq exits with 2 before anything is sent, as does a format that is not JSON', async (t) => {
  const { data, runward } = await newWorkplace();
  const create = (...args: string[]) => runward(['folders', 'create', '--name', 'Hiring', ...args]);
  const invalid = await create('--jq', '.name |');
  t.is(invalid.code, 2);
  t.regex(invalid.stderr, /^Error: --jq: syntax error/);
  t.is((await create('--jq', '.name', '-o', 'csv')).code, 2);
  t.deepEqual(await data<object[]>(['folders', 'list']), []);
  const unfit = await create('--jq', '.name.first');
  t.is(unfit.code, 2);
  t.regex(unfit.stderr, /--jq: error.*Cannot index string with string "first"/);
});
