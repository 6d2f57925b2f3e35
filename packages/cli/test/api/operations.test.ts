import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { launchRun, publishProcess } from '@runward/testing/process';
import test from 'ava';
import { newFolder } from '../support/command.ts';
import { useServer } from '../support/service.ts';
import { keys, onTerminal, openTerminal } from '../support/terminal.ts';

const { newWorkplace } = useServer(test);

interface Named {
  readonly id: string;
  readonly name: string;
}

test('records are created, listed, changed and deleted by commands made from the contract, by ID or by name', async (t) => {
  const { data, runward } = await newWorkplace();
  const folder = await data<Named>(['folders', 'create', '--name', 'Hiring']);
  t.is(folder.name, 'Hiring');
  t.deepEqual(
    (await data<Named[]>(['folders', 'list'])).map(({ name }) => name),
    ['Hiring'],
  );
  const misspelled = await runward(['folders', 'update', 'Hirin', '--name', 'X']);
  t.is(misspelled.code, 3);
  t.regex(misspelled.stderr, /No folder is named "Hirin"\. Did you mean "Hiring"\?/);
  t.is((await data<Named>(['folders', 'update', 'Hiring', '--name', 'People'])).id, folder.id);

  const created = await data<Named>(['templates', 'create', '--name', 'Onboarding', '--folder', 'People']);
  t.like(await data(['templates', 'get', 'Onboarding']), { id: created.id, folderId: folder.id });
  const emptied = ['templates', 'update', 'Onboarding', '--name', 'Onboarding', '--field', 'folderId=null'];
  t.like(await data(emptied), { folderId: null });

  const csv = await runward(['folders', 'get', 'People', '-o', 'csv', '--fields', 'name,templateCount']);
  t.is(csv.stdout, 'name,templateCount\nPeople,0\n');
  const deleted = await runward(['folders', 'delete', folder.id]);
  t.is(deleted.code, 0, deleted.stderr);
  t.is(deleted.stderr, 'Deleted.\n');
  t.is((await runward(['folders', 'get', 'People'])).code, 3);
});

test('parts of a template are named by title, key and number, and the body can come from a file or stdin', async (t) => {
  const { data, runward } = await newWorkplace();
  const folder = await newFolder(t);
  await data(['templates', 'create', '--name', 'Onboarding']);
  const file = join(folder, 'task.json');
  await writeFile(file, JSON.stringify({ title: 'From the file', due: { from: 'LAUNCH', offset: 'P2D' } }));
  const task = ['templates', 'tasks', 'create', 'Onboarding', '--title', 'Sign', '--required', 'false'];
  t.like(await data([...task, '--input', file]), { title: 'Sign', required: false, due: { offset: 'P2D' } });
  t.like(await data(['templates', 'tasks', 'update', 'Onboarding', 'Sign', '--description', 'By hand']), {
    description: 'By hand',
    due: { offset: 'P2D' },
  });
  t.like(
    await data(['templates', 'fields', 'create', 'Onboarding', 'Sign', '--input', '-', '--required', 'true'], {
      input: JSON.stringify({ key: 'size', label: 'Size', type: 'DROPDOWN', options: [{ key: 's', label: 'S' }] }),
    }),
    { key: 'size', required: true },
  );
  await data(['templates', 'publish', 'Onboarding']);
  await data(['templates', 'tasks', 'update', 'Onboarding', 'Sign', '--title', 'Sign here']);
  await data(['templates', 'publish', 'Onboarding']);
  const diff = await data<{ changes: object[] }>([
    'templates',
    'versions',
    'diff',
    'Onboarding',
    '2',
    '--against',
    '1',
  ]);
  t.is(diff.changes.length, 1);
  const unknown = await runward(['templates', 'versions', 'get', 'Onboarding', '3']);
  t.is(unknown.code, 3);
  t.regex(unknown.stderr, /No version is named "3"\. The versions are: "2", "1"\./);
});

test('runs are named by public ID or @last, and counted, listed and exported with the filters of the API', async (t) => {
  const { org, data, runward } = await newWorkplace();
  const { templateId } = await publishProcess(org.api, [{ title: 'Only task' }], { name: 'Onboarding' });
  const { id } = await launchRun(org.api, templateId);
  t.like(await data(['runs', 'update', '@last', '--title', 'Ada']), { id, title: 'Ada' });
  for (const flags of [
    ['--template', 'Onboarding', '--status', 'running,OVERDUE'],
    ['--template-ids', 'Onboarding', '--statuses', 'running', '--status', 'OVERDUE'],
    ['--template-id', 'Onboarding'],
  ]) {
    t.like(await data(['runs', 'counts', ...flags]), { total: 1 }, flags.join(' '));
  }
  const help = (await runward(['runs', 'counts', '--help'])).stdout;
  t.regex(help, /--template <id\|name>/);
  t.notRegex(help, /--template-id|--statuses/);
  const activity = await data<{ sequence: number }[]>(['runs', 'activity', id, '--limit', '2']);
  t.is(activity.length, 2);
  const lines = await runward(['runs', 'activity', id, '-o', 'jsonl', '--all', '--fields', 'type']);
  t.regex(lines.stdout, /^(\{"type":"run\.[a-z]+"\}\n)+$/);
  t.is((await data<object[]>(['templates', 'runs', 'list', 'Onboarding'])).length, 1);
  t.like(await data(['events', 'list', '--events', 'run.started', '--limit', '1']), {
    data: [{ event: 'run.started' }],
    hasMore: false,
  });
});

test('tables of activities, versions and runs of a template have the columns that people use', async (t) => {
  const { org, runward } = await newWorkplace();
  const { templateId } = await publishProcess(org.api);
  const { id } = await launchRun(org.api, templateId);
  const heading = async (...args: string[]) =>
    (await runward(args, { columns: 80 })).stdout.split('\n')[0]?.split(/ +/);
  t.deepEqual(await heading('runs', 'activity', id), ['sequence', 'at', 'type', 'runTaskId']);
  t.deepEqual(await heading('templates', 'versions', 'list', templateId), ['id', 'number', 'publishedAt', 'note']);
  t.deepEqual(await heading('templates', 'runs', 'list', templateId), await heading('runs', 'list'));
});

test('rows and columns of a data source are changed by commands made from the contract', async (t) => {
  const { data, runward } = await newWorkplace();
  await data(['data', 'create', 'Suppliers', '--column', 'Name', '--column', 'City']);
  const { columns } = await data<{ columns: Named[] }>(['data', 'get', 'Suppliers']);
  const cells = JSON.stringify({ [columns[0]?.id ?? '']: 'Ada' });
  const row = await data<Named>(['data', 'row', 'create', 'Suppliers', '--cells', cells]);
  t.like(await data(['data', 'row', 'update', 'Suppliers', row.id, '--active', 'false']), { active: false });
  t.is((await data<object[]>(['data', 'row', 'timeline', 'Suppliers', row.id])).length, 2);
  t.like(await data(['data', 'columns', 'update', 'Suppliers', 'city', '--name', 'Town']), { name: 'Town' });
  t.is((await runward(['data', 'row', 'delete', 'Suppliers', row.id])).code, 0);
});

test('an unknown option, a missing one, a wrong choice, number or JSON exits with 2 and names the option', async (t) => {
  const { runward } = await newWorkplace();
  const rejections: readonly (readonly [args: readonly string[], message: RegExp])[] = [
    [['folders', 'create', '--nam', 'X'], /unknown option '--nam'\n.*Did you mean --name\?/s],
    [['folders', 'create'], /required option '--name <text>' not specified/],
    [['folders', 'create', '--field', 'name'], /--field takes name=json, not "name"/],
    [['folders', 'create', '--field', 'name=x'], /not valid JSON: .*\n {2}For a text: --field 'name="x"'/],
    [['api', 'POST', '/folders', '-F', 'name=x y'], /not valid JSON: .*\n {2}For a text: -f "name=x y"/],
    [['folders', 'create', '--input', '/nonexistent'], /\/nonexistent/],
    [['folders', 'get'], /missing required argument 'folder'/],
    [['runs', 'counts', '--status', 'LOST'], /'--status <choice>'.* It must be one of RUNNING, OVERDUE/],
    [['runs', 'counts', '--stalled-for-days', 'many'], /'--stalled-for-days <number>'.* It must be a number/],
    [['runs', 'counts', '--archived', 'maybe'], /'--archived <true\|false>'.* It must be one of true, false/],
    [['data', 'row', 'create', 'X', '--cells', '{'], /'--cells <json>'.* It must be JSON\.\n/],
    [['execution', 'submit', '--value', 'z'], /It must be JSON, and a text in double quotes: '"z"'\.\n/],
    [['tasks', 'get', 'Sign'], /"Sign" is not a task ID \(a UUID\)/],
    [
      ['execution', 'entries', 'Run 1'],
      /not a task ID \(a UUID\)\. Give the run and then the title of the task, or find /,
    ],
    [['execution', 'open', '--run-task-id', 'Sign'], /"Sign" is not a task ID/],
    [['execution', 'get', 'x'], /"x" is not an entry ID \(a UUID\)\. Find it with: runward execution entries RUN TASK/],
    [['runs', 'comments', 'get', 'x'], /not a comment ID .* runward runs comments list RUN/],
    [['tasks', 'revoke-form-link', 'x'], /not a form link ID .* runward tasks form-links RUN TASK/],
    [['data', 'lookup', 'X'], /required option '--template-field-id <id>' not specified/],
  ];
  for (const [args, message] of rejections) {
    const { code, stderr } = await runward(args);
    t.is(code, args.includes('/nonexistent') ? 1 : 2, stderr);
    t.regex(stderr, message);
  }
  const invalid = await runward(['folders', 'create', '--name', '']);
  t.is(invalid.code, 6);
  t.regex(invalid.stderr, /^Error: --name: must not be empty/);
  const inFile = await runward(['folders', 'create', '--input', '-'], { input: '{"name":""}' });
  t.regex(inFile.stderr, /^Error: name: must not be empty/);
});

test('a task of a run is named by the run and its title, in this order', async (t) => {
  const { data, org, runward } = await newWorkplace();
  const { templateId } = await publishProcess(org.api, [{ title: 'Buy' }, { title: 'Pay the invoice' }]);
  const { publicId, byTitle } = await launchRun(org.api, templateId, { title: 'Laptop' });
  const { runTaskId } = byTitle('Pay the invoice');
  t.like(await data(['tasks', 'get', 'laptop', 'pay']), { runTaskId });
  t.like(await data(['tasks', 'get', runTaskId.toUpperCase()]), { runTaskId });
  t.is((await runward(['tasks', 'set-status', publicId, 'Buy', '--status', 'COMPLETED'])).code, 0);
  t.like(await data(['tasks', 'get', publicId, 'Buy']), { status: 'COMPLETED' });
  t.deepEqual(await data(['execution', 'entries', publicId, 'Pay the invoice']), []);
  t.regex((await runward(['tasks', 'form', 'Buy', publicId])).stderr, /is a run\. Give the run first, then the task\./);
});

test('options of a draft take names of its phases and tasks, and a member is named by the email address', async (t) => {
  const { data, org, runward } = await newWorkplace();
  const { templateId } = await publishProcess(org.api, [{ title: 'A' }, { title: 'B' }]);
  const phase = await data<Named>(['templates', 'phases', 'create', templateId, '--name', 'Start']);
  const inPhase = ['--title', 'C', '--phase', 'start'];
  t.like(await data(['templates', 'tasks', 'create', templateId, ...inPhase]), { phaseId: phase.id });
  const misspelled = await runward(['templates', 'tasks', 'update', templateId, 'C', '--phase-id', 'Strat']);
  t.is(misspelled.code, 3);
  t.regex(misspelled.stderr, /No phase is named "Strat"\. Did you mean "Start"\?/);
  await data([
    'templates',
    'tasks',
    'bulk-update',
    templateId,
    '--task',
    'a',
    '--task',
    'B',
    '--changes',
    '{"required":false}',
  ]);
  const tasks = await data<{ title: string; required: boolean }[]>(['templates', 'tasks', 'list', templateId]);
  t.deepEqual(
    new Map(tasks.map(({ title, required }) => [title, required])),
    new Map([
      ['A', false],
      ['B', false],
      ['C', true],
    ]),
  );
  const [user] = await data<{ email: string }[]>(['users', 'list']);
  t.like(await data(['users', 'get', user?.email ?? '']), { email: user?.email });
});

onTerminal('a deletion on a terminal asks first, except with --yes', async (t) => {
  const { env, data } = await newWorkplace();
  await data(['folders', 'create', '--name', 'Hiring']);
  const declining = openTerminal(t, ['folders', 'delete', 'Hiring'], { env });
  await declining.type('"Hiring"?', keys.enter);
  t.regex((await declining.end()).screen, /Nothing was deleted\./);
  t.is((await data<Named[]>(['folders', 'list'])).length, 1);
  t.regex((await openTerminal(t, ['folders', 'delete', 'Hiring', '--yes'], { env }).end()).screen, /Deleted\./);
  t.deepEqual(await data<Named[]>(['folders', 'list']), []);

  const view = await data<Named>(['views', 'create', 'Late']);
  const deleting = openTerminal(t, ['views', 'delete', view.id], { env });
  await deleting.type('Delete the view "Late"?', 'y');
  t.regex((await deleting.end()).screen, /Deleted the view "Late"\./);
});
