import { readFile, stat, writeFile } from 'node:fs/promises';
import test from 'ava';
import { namedRows, prepareCsv, type Launched } from '../support/csv.ts';
import { useServer } from '../support/service.ts';

const { newWorkplace } = useServer(test);

const map = [
  '--map',
  'title=Onboard {name}',
  '--map',
  'date=start',
  '--map',
  'owner=manager',
  '--map',
  'var.fullName=name',
  '--map',
  'var.copies=copies',
];

test('all rows are checked before the first is launched; a dry run prints what would be launched', async (t) => {
  const work = await newWorkplace();
  const lines = [
    'name,start,manager,copies',
    'Ada,2026-03-01,,2',
    '"Grace',
    'Hopper",2026-02-30,,',
    ',01.03.2026,nobody@example.com,two',
  ];
  const { launch, write, titles, journal } = await prepareCsv(t, work, lines);
  for (const lineEnd of ['', '\r']) {
    await write(lines.map((line) => line + lineEnd));
    const invalid = await work.runward([...launch, ...map]);
    t.is(invalid.code, 6);
    t.deepEqual((JSON.parse(invalid.stderr) as { messages: string[] }).messages, [
      'Nothing was launched. Correct these rows:',
      'line 4: title: must not contain line breaks or control characters',
      'line 4: date: must be a date like 2026-03-01',
      'line 5: title: the column "name" is empty',
      'line 5: var.copies: must be a number, not "two"',
      'line 5: owner: no active member has the email address nobody@example.com',
      'line 5: date: must be a date like 2026-03-01',
    ]);
  }

  await write(['name,start,manager,copies', `Ada,2026-03-01,${work.org.ownerEmail},2`, 'Grace,,,']);
  const dry = await work.runward([...launch, ...map, '--dry-run', '-o', 'jsonl']);
  t.is(dry.code, 0, dry.stderr);
  const [ada, grace] = dry.stdout
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));
  t.like(ada, { line: 2, prospect: 'new', title: 'Onboard Ada', date: '2026-03-01', owner: work.org.ownerEmail });
  t.deepEqual(ada.variables, { fullName: 'Ada', copies: 2 });
  t.like(grace, { line: 3, title: 'Onboard Grace', date: null, owner: null, variables: { fullName: 'Grace' } });
  t.is(dry.stderr, '');
  t.deepEqual(await titles(), []);
  await t.throwsAsync(stat(journal), { code: 'ENOENT' });
});

test('a second launch launches only new rows; equal rows are counted', async (t) => {
  const work = await newWorkplace();
  const { launch, write, titles, journal, templateId } = await prepareCsv(t, work, ['name', 'Ada', 'Grace', 'Ada']);
  const args = [...launch, '--map', 'title=Onboard {name}', '--map', 'var.fullName=name'];
  const first = await work.data<Launched>(args);
  t.like(first, { launched: 3, alreadyLaunched: 0, failed: 0 });
  t.deepEqual(await titles(), ['Onboard Ada', 'Onboard Ada', 'Onboard Grace']);
  t.is((await stat(journal)).mode & 0o777, 0o600);

  await write(['name', 'Grace', 'Ada', 'Linus', 'Ada']);
  const table = await work.runward([...args, '--template', 'Onboarding', '-o', 'table']);
  t.is(table.code, 0, table.stderr);
  t.is(table.stdout, 'outcome           rows\nlaunched          1\nalready launched  3\nfailed            0\n');
  const third = await work.data<Launched>(args);
  t.like(third, { launched: 0, alreadyLaunched: 4 });
  t.deepEqual(
    third.rows.map(({ line, title }) => `${line} ${title}`),
    ['2 Onboard Grace', '3 Onboard Ada', '4 Onboard Linus', '5 Onboard Ada'],
  );
  const { body } = await work.org.api.call('runs', 'list', { query: { templateId } });
  t.true(third.rows.every(({ runId }) => body.data.some(({ id }) => id === runId)));
  t.is(new Set(third.rows.map(({ runId }) => runId)).size, 4);
});

test('a row that the server rejects fails alone, and is launched when it is corrected', async (t) => {
  const work = await newWorkplace();
  const { launch, write, titles } = await prepareCsv(t, work, [
    'name,manager',
    'Ada,',
    'Grace,nobody@example.com',
    'Linus,',
  ]);
  // A key that may only launch cannot read variables and members, so only the server checks the row.
  const env = { RUNWARD_API_KEY: await work.newKey(['runs:execute']) };
  const args = [...launch, '--map', 'title=name', '--map', 'owner=manager'];
  const first = await work.runward([...args, '--concurrency', '1'], { env });
  t.is(first.code, 1);
  const result = JSON.parse(first.stdout) as Launched;
  t.like(result, {
    launched: 2,
    failed: 1,
    rows: [{ outcome: 'launched' }, { line: 3, outcome: 'failed' }, { outcome: 'launched' }],
  });
  t.regex(result.rows[1]?.messages?.join() ?? '', /nobody@example\.com/);

  await write(['name,manager', 'Ada,', `Grace,${work.org.ownerEmail}`, 'Linus,']);
  t.like(await work.data<Launched>(args, { env }), { launched: 1, alreadyLaunched: 2, failed: 0 });
  t.deepEqual(await titles(), ['Ada', 'Grace', 'Linus']);
});

test('a launch is rejected if rows can no longer be recognized; with --key their content may change', async (t) => {
  const work = await newWorkplace();
  const { launch, write, titles, journal } = await prepareCsv(t, work, ['id,name', '1,Ada', '2,Grace']);
  await work.data([...launch, '--map', 'title=name']);
  const remapped = await work.runward([...launch, '--map', 'title=Onboard {name}']);
  t.is(remapped.code, 6);
  t.regex(remapped.stderr, /2 of the rows launched earlier are not part of this launch/);
  const keyed = await work.runward([...launch, '--map', 'title=name', '--key', 'id', '--dry-run']);
  t.is(keyed.code, 6);
  t.regex(keyed.stderr, /already launched without --key/);
  t.is((await titles()).length, 2);
  const accepted = await work.data<Launched>([...launch, '--map', 'title=Onboard {name}', '--accept-changes']);
  t.is(accepted.launched, 2);

  const other = ['--journal', `${journal}.other`, '--key', 'id'];
  t.is((await work.data<Launched>([...launch, '--map', 'title=name', ...other])).launched, 2);
  await write(['id,name', '1,Ada L.', '2,Grace', '3,Linus']);
  t.like(await work.data<Launched>([...launch, '--map', 'title=Hello {name}', ...other]), {
    launched: 1,
    alreadyLaunched: 2,
  });
  await write(['id,name', '1,Ada', '1,Grace', ',Linus']);
  const keys = await work.runward([...launch, '--map', 'title=name', ...other]);
  t.regex(keys.stderr, /line 3: line 2 already has the key \\"1\\"/);
  t.regex(keys.stderr, /line 4: the key column \\"id\\" is empty/);
});

test('an invalid file or mapping is rejected with its errors', async (t) => {
  const work = await newWorkplace();
  const { launch, write } = await prepareCsv(t, work, namedRows(1));
  const errorOf = async (code: number, ...args: string[]) => {
    const ended = await work.runward([...launch, ...args]);
    t.is(ended.code, code, ended.stderr);
    return ended.stderr;
  };
  t.regex(
    await errorOf(2, '--map', 'title=nam', '--map', 'when=name'),
    /no column \\"nam\\"\. Did you mean name\?.*unknown target; use title, date, owner or var\.NAME/,
  );
  t.regex(await errorOf(2), /Map the columns/);
  t.regex(await errorOf(2, '--title', 'Same', '--map', 'title=name'), /an option already sets it/);
  t.regex(
    await errorOf(6, '--map', 'var.nickname=name'),
    /line 2: var\.nickname: unknown variable; the template has fullName, copies/,
  );
  await write(['name,name', 'a,b']);
  t.regex(await errorOf(6, '--map', 'title=name'), /column \\"name\\" occurs twice/);
  await write(['name', 'a,b']);
  t.regex(await errorOf(6, '--map', 'title=name'), /is not valid CSV/);
});

test('a corrupt journal prevents the launch; an incomplete last line is ignored', async (t) => {
  const work = await newWorkplace();
  const { launch, journal, titles } = await prepareCsv(t, work, namedRows(2));
  const args = [...launch, '--map', 'title=name'];
  await work.data(args);
  const text = await readFile(journal, 'utf8');
  await writeFile(journal, text.replace('"intent"', '"inte'));
  const corrupt = await work.runward(args);
  t.is(corrupt.code, 1);
  t.regex(corrupt.stderr, /is corrupt, so it is unknown which rows were launched/);
  // A power failure during a write leaves an incomplete last line.
  await writeFile(journal, `${text}{"type":"inte`);
  t.like(await work.data<Launched>(args), { launched: 0, alreadyLaunched: 2 });
  t.is((await titles()).length, 2);
});
