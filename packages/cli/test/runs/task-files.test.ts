import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { launchRun, publishProcess } from '@runward/testing/process';
import test, { type ExecutionContext } from 'ava';
import { newFolder } from '../support/command.ts';
import { useServer, type Workplace } from '../support/service.ts';
import { keys, onTerminal, openTerminal } from '../support/terminal.ts';

const { newWorkplace } = useServer(test);
const { enter, clear } = keys;

/** A PNG of one pixel. */
const pixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

async function oneRun(t: ExecutionContext, { org }: Workplace) {
  const fields = [
    { key: 'handle', label: 'Handle', type: 'TEXT' },
    { key: 'scans', label: 'Scans', type: 'FILE_UPLOAD', required: true },
    { key: 'signature', label: 'Signature', type: 'SIGNATURE', required: true },
  ] as const;
  const { templateId } = await publishProcess(org.api, [{ title: 'Sign', fields }, { title: 'Last' }]);
  const run = await launchRun(org.api, templateId);
  const cwd = await newFolder(t);
  for (const name of ['a, b.txt', '@c.txt']) await writeFile(join(cwd, name), name);
  await writeFile(join(cwd, 'signature.png'), pixel);
  return { run, cwd };
}

const namesOf = async ({ data }: Workplace, runId: string) =>
  (await data<{ fileName: string }[]>(['files', 'list', runId])).map(({ fileName }) => fileName).toSorted();

test('tasks complete --value key=@path uploads files; in other fields a leading @ is text', async (t) => {
  const work = await newWorkplace();
  const { run, cwd } = await oneRun(t, work);
  const complete = (...values: string[]) =>
    work.runward(['tasks', 'complete', run.id, 'Sign', ...values.flatMap((value) => ['--value', value])], { cwd });

  const missing = await complete('handle=@ada');
  t.is(missing.code, 6);
  t.regex(missing.stderr, /--value scans=@PATH {2}\(Scans, FILE_UPLOAD\)/);
  const unreadable = await complete('scans=@none.txt', 'signature=@signature.png');
  t.is(unreadable.code, 6);
  t.regex(unreadable.stderr, /--value scans: none\.txt cannot be read: there is no such file/);
  t.is((await complete('signature=@signature.png', 'signature=@signature.png', 'scans=@@c.txt')).code, 2);
  t.is((await complete('handle=a', 'handle=b')).code, 2);
  t.deepEqual(await namesOf(work, run.id), []);

  const done = await complete('handle=@ada', 'scans=@a, b.txt', 'scans=@@c.txt', 'signature=@signature.png');
  t.is(done.code, 0, done.stderr);
  t.deepEqual(await namesOf(work, run.id), ['@c.txt', 'a, b.txt', 'signature.png']);
  const { runTaskId } = run.byTitle('Sign');
  const { body } = await work.org.api.call('execution', 'entries', { params: { runTaskId } });
  t.is(
    body.data[0]?.fieldValues.find(({ value }) => typeof value === 'string' && value.startsWith('@'))?.value,
    '@ada',
  );
});

const parcels = {
  name: 'Parcels',
  tasks: [
    {
      title: 'Send',
      fields: [
        { key: 'abroad', label: 'Abroad', type: 'CHECKBOX', required: true },
        { key: 'customs', label: 'Customs', type: 'TEXT', required: true },
        { key: 'desk', label: 'Desk', type: 'TEXT', required: true },
      ],
      rules: [
        {
          conditions: [{ field: 'abroad', operator: 'EQUALS', value: true }],
          actions: [
            { type: 'SHOW', fields: ['customs'] },
            { type: 'HIDE', fields: ['desk'] },
          ],
        },
      ],
    },
  ],
};

async function launchParcels({ data }: Workplace): Promise<string> {
  await data(['templates', 'push', '-', '--publish'], { input: JSON.stringify(parcels) });
  return (await data<{ id: string }>(['runs', 'launch', '--template', 'Parcels'])).id;
}

test('tasks complete submits a value once others have shown its field', async (t) => {
  const work = await newWorkplace();
  const run = await launchParcels(work);
  const complete = (...values: string[]) =>
    work.runward(['tasks', 'complete', run, 'Send', ...values.flatMap((value) => ['--value', value])]);
  const hidden = await complete('abroad=no', 'customs=0815', 'desk=7');
  t.is(hidden.code, 6);
  t.regex(hidden.stderr, /--value customs: "Customs" is hidden by a rule/);
  const missing = await complete('abroad=yes');
  t.is(missing.code, 6);
  t.regex(missing.stderr, /--value customs=… {2}\(Customs, TEXT\)/);
  t.notRegex(missing.stderr, /--value desk/);
  const done = await complete('customs=0815', 'abroad=yes');
  t.is(done.code, 0, done.stderr);
});

onTerminal(
  'tasks complete on a terminal asks for the fields that the values show, and not for those they hide',
  async (t) => {
    const work = await newWorkplace();
    const run = await launchParcels(work);
    const terminal = openTerminal(t, ['tasks', 'complete', run, 'Send'], work);
    await terminal.type('Abroad *', 'y', enter);
    await terminal.type('Customs *', '0815', enter);
    const { code, screen } = await terminal.end();
    t.is(code, 0, screen);
    t.false(screen.includes('Desk'), screen);
  },
);

onTerminal('tasks complete on a terminal asks for files until no more is entered', async (t) => {
  const work = await newWorkplace();
  const { run, cwd } = await oneRun(t, work);
  const terminal = openTerminal(t, ['tasks', 'complete', run.id, 'Sign'], work);
  await terminal.type('Handle', '@ada', enter);
  await terminal.type('Scans *', enter);
  await terminal.type('A file is required.', join(cwd, 'none'), enter);
  await terminal.type('there is no such file', clear, join(cwd, 'a, b.txt'), enter);
  await terminal.type('Scans * (another file)', join(cwd, '@c.txt'), enter);
  await terminal.type('Scans * (another file)', enter);
  await terminal.type('Signature *', join(cwd, 'signature.png'), enter);
  const { code, screen } = await terminal.end();
  t.is(code, 0, screen);
  t.deepEqual(await namesOf(work, run.id), ['@c.txt', 'a, b.txt', 'signature.png']);
});
