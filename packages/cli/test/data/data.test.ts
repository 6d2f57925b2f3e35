import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'ava';
import { newFolder, runCommand } from '../support/command.ts';
import { useServer } from '../support/service.ts';

const { newWorkplace } = useServer(test);

interface Imported {
  readonly rows: number;
  readonly new: number;
  readonly known: number;
  readonly created: number;
}

test('data import checks all rows, maps columns, keeps formulas as text, and can be repeated with a key', async (t) => {
  const work = await newWorkplace();
  const file = join(await newFolder(t), 'erp.csv');
  const columns = [
    '--column',
    'Name',
    '--column',
    'Revenue:number',
    '--column',
    'Approved:BOOLEAN',
    '--column',
    'Since:DATE',
  ];
  const source = await work.data<{ id: string; rowCount: number }>([
    'data',
    'create',
    'Suppliers',
    ...columns,
    '-o',
    'json',
  ]);
  const args = ['data', 'import', 'Suppliers', file, '-o', 'json'];
  await writeFile(file, 'NAME1,Revenue,Approved,Since\nAcme,ten,yes,2026-01-01\nAcme,1,true,\n,2,,\n');
  const invalid = await work.runward([
    ...args,
    '--map',
    'Name=NAME1',
    '--map',
    'Revenue=Revenue',
    '--map',
    'Approved=Approved',
    '--key',
    'Name',
  ]);
  t.is(invalid.code, 6);
  t.deepEqual((JSON.parse(invalid.stderr) as { messages: string[] }).messages, [
    'Nothing was imported. Correct these rows:',
    'line 2: Revenue: "ten" is not a number like 12.5 of at most 15 digits',
    'line 2: Approved: "yes" is neither true nor false',
    'line 3: line 2 already has the key "Acme"',
    'line 4: the key column "Name" is empty',
  ]);

  await writeFile(file, 'Name,Revenue,Approved,Since\n=1+1,10.50,TRUE,2026-01-01\nHooli,,false,\n');
  const keyed = [...args, '--key', 'name'];
  t.like(await work.data<Imported>([...keyed, '--dry-run']), { rows: 2, new: 2, known: 0, created: 0 });
  t.like(await work.data<Imported>(keyed), { rows: 2, new: 2, known: 0, created: 2 });
  await writeFile(file, 'Name,Revenue\nHooli,1\nInitech,3\n');
  t.like(await work.data<Imported>(keyed), { rows: 2, new: 1, known: 1, created: 1 });

  const rejected = await work.runward(['data', 'import', source.id, file, '--map', 'Since=Name', '-o', 'json']);
  t.is(rejected.code, 6);
  t.regex(rejected.stderr, /line 2: Since: must be a date between the years 1900 and 2999/);
  t.regex(rejected.stderr, /Nothing was imported/);

  const list = await work.data<{ name: string; rowCount: number }[]>(['data', 'list', '-o', 'json']);
  t.like(list[0], { name: 'Suppliers', rowCount: 3 });
  const rows = await work.data<Record<string, unknown>[]>([
    'data',
    'rows',
    'Suppliers',
    '--sort',
    '-Revenue',
    '-o',
    'json',
  ]);
  t.deepEqual(
    rows.map(({ Name, Revenue }) => [Name, Revenue]),
    [
      ['=1+1', 10.5],
      ['Initech', 3],
      ['Hooli', null],
    ],
  );
  const exported = await work.runward(['data', 'export', 'Suppliers']);
  t.is(
    exported.stdout,
    "Name,Revenue,Approved,Since,active\nInitech,3,,,true\nHooli,,false,,true\n'=1+1,10.5,true,2026-01-01,true\n",
  );
});

test('the help of data create says how columns of the other types are added', async (t) => {
  const help = await runCommand(['data', 'create', '--help']);
  t.regex(help.stdout, /For STATUS and RELATION columns: runward data columns create\./);
  t.is((await runCommand(['data', 'columns', 'create', '--help'])).code, 0);
});

test('data import finds cells that the server would reject before it imports any row', async (t) => {
  const work = await newWorkplace();
  const columns = ['--column', 'Name', '--column', 'Since:DATE', '--column', 'At:DATETIME'];
  await work.data(['data', 'create', 'Dates', ...columns, '-o', 'json']);
  const check = async (input: string) => {
    const { code, stderr } = await work.runward(['data', 'import', 'Dates', '-', '--dry-run', '-o', 'json'], { input });
    const { messages } = JSON.parse(stderr) as { messages: string[] };
    return [code, ...messages.slice(1)];
  };
  t.deepEqual(await check(`Name,Since,At\nA,31.12.2026,2026-01-01\n${'x'.repeat(10_001)},2026-02-30,\na\u0007,,\n`), [
    6,
    'line 2: Since: must be a date between the years 1900 and 2999, like 2026-03-01',
    'line 2: At: must be an ISO 8601 timestamp with a time zone, between the years 1900 and 2999, like 2026-03-01T09:00:00Z',
    'line 3: Name: must be at most 10000 characters',
    'line 3: Since: must be a date between the years 1900 and 2999, like 2026-03-01',
    'line 4: Name: must not contain control characters except tabs and line breaks',
  ]);
  const many = await check(`Since,At\n${'x,y\n'.repeat(70_000)}`);
  t.is(many.length, 1 + 140_000, 'more than a call can have arguments');
  const twice = await work.runward(['data', 'import', 'Dates', '-'], { input: 'Name,name\nA,B\n' });
  t.is(twice.code, 2);
  t.regex(twice.stderr, /columns "Name" and "name" of the file would both fill "Name"; use --map to choose one/);
});

test('what data export prints is what data import takes: formulas, numbers, line breaks and space stay as they are', async (t) => {
  const work = await newWorkplace();
  const columns = ['--column', 'Name', '--column', 'Phone', '--column', 'Change:NUMBER'];
  const { id } = await work.data<{ id: string }>(['data', 'create', 'Contacts', ...columns, '-o', 'json']);
  const config = JSON.stringify({ dataSourceId: id });
  const relation = ['--name', 'Parent', '--type', 'RELATION', '--config', config];
  await work.data(['data', 'columns', 'create', 'Contacts', ...relation, '-o', 'json']);
  const input = 'Name,Phone,Change\n=1+1,+49 30 123,-5\n-x,@y,1.5\n"a\r\nb"," c ",\n';
  const load = (text: string) =>
    work.data<Imported>(['data', 'import', 'Contacts', '-', '--key', 'Phone', '-o', 'json'], { input: text });
  t.like(await load(input), { created: 3 });
  const exported = await work.runward(['data', 'export', 'Contacts']);
  t.is(
    exported.stdout,
    'Name,Phone,Change,active\n"a\r\nb"," c ",,true\n\'-x,\'@y,1.5,true\n\'=1+1,\'+49 30 123,-5,true\n',
  );
  t.like(await load(exported.stdout), { rows: 3, known: 3, created: 0 });
});

test('data export and import keep inactive rows and apostrophes before formulas, also in names of columns', async (t) => {
  const work = await newWorkplace();
  for (const name of ['Old', 'New']) {
    await work.data(['data', 'create', name, '--column', 'Name', '--column', '=Sum', '-o', 'json']);
  }
  const load = (name: string, input: string) =>
    work.data<Imported>(['data', 'import', name, '-', '--key', 'Name', '-o', 'json'], { input });
  const input = "Name,=Sum,Active\na,''=1,FALSE\nb,'''@x,true\nc,'it,\nd,'=2,\n";
  t.like(await load('Old', input), { created: 4 });
  const { stdout } = await work.runward(['data', 'export', 'Old']);
  t.is(stdout, "Name,'=Sum,active\nd,'=2,true\nc,'it,true\nb,'''@x,true\na,''=1,false\n");
  t.like(await load('New', stdout), { created: 4 });
  const rows = await work.data<Record<string, unknown>[]>(['data', 'rows', 'New', '-o', 'json']);
  t.deepEqual(
    rows.map((row) => [row['=Sum'], row['active']]),
    [
      ["'=1", false],
      ["''@x", true],
      ["'it", true],
      ['=2', true],
    ],
  );
});

test('an import that a later request stops says how many rows it created, and from which line on it did not', async (t) => {
  const work = await newWorkplace();
  const names = Array.from({ length: 11 }, (_, index) => `C${index}`);
  await work.data(['data', 'create', 'Wide', ...names.flatMap((name) => ['--column', name]), '-o', 'json']);
  const tooLarge = names.map(() => 'x'.repeat(10_000)).join(',');
  const input = [
    names.join(','),
    ...Array.from({ length: 5_000 }, (_, index) => `${index}${','.repeat(10)}`),
    tooLarge,
  ];
  const { code, stdout, stderr } = await work.runward(['data', 'import', 'Wide', '-', '-o', 'csv'], {
    input: input.join('\n'),
  });
  t.is(code, 6);
  t.regex(stdout, /,5001,5001,0,5000\n$/);
  t.regex(stderr, /Stopped: 5000 of 5001 new rows were imported, those before line 5002\. Remove them from the file/);
  t.regex(stderr, /line 5002: the row would take \d+ bytes/);
});
