import { getRun, launchRun, publishProcess, type TaskSketch } from '@runward/testing/process';
import test from 'ava';
import { parseDueDate } from '../../src/commands/tasks/due.ts';
import { finished, spawnCommand } from '../support/command.ts';
import { useServer, type Workplace } from '../support/service.ts';

const { newWorkplace } = useServer(test);

const form: TaskSketch = {
  title: 'Sign the contract',
  fields: [
    { key: 'place', label: 'Place', type: 'TEXT', required: true },
    { key: 'copies', label: 'Copies', type: 'NUMBER', required: true },
    {
      key: 'size',
      label: 'Shirt',
      type: 'DROPDOWN',
      options: [
        { key: 's', label: 'Small' },
        { key: 'm', label: 'Medium' },
      ],
    },
    {
      key: 'days',
      label: 'Days',
      type: 'MULTI_SELECT',
      options: [
        { key: 'mo', label: 'Monday' },
        { key: 'fr', label: 'Friday' },
      ],
    },
    { key: 'remote', label: 'Remote', type: 'CHECKBOX' },
    { key: 'mentor', label: 'Mentor', type: 'USER' },
  ],
};

interface Task {
  readonly runTaskId: string;
  readonly status: string;
  readonly assigneeId: string | null;
  readonly dueAt: string | null;
  readonly dueAtHasTime: boolean;
}

async function oneRun({ org }: Workplace) {
  const { templateId } = await publishProcess(org.api, [form, { title: 'Send the contract' }, { title: 'Other' }]);
  return launchRun(org.api, templateId);
}

async function valuesOf({ org }: Workplace, runTaskId: string) {
  const { body } = await org.api.call('execution', 'entries', { params: { runTaskId } });
  return { entries: body.data, values: body.data[0]?.fieldValues.map(({ value }) => value) };
}

test('tasks complete submits the values with their types in one batch and completes the task', async (t) => {
  const work = await newWorkplace();
  const run = await oneRun(work);
  const { runTaskId } = run.byTitle('Sign the contract');
  const task = await work.data<Task>([
    'tasks',
    'complete',
    run.id,
    'sign',
    '--value',
    'place=Berlin, Mitte',
    '--value',
    'copies=2',
    '--value',
    'size=medium',
    '--value',
    'days=mo, Friday',
    '--value',
    'remote=no',
    '--value',
    `mentor=${work.org.ownerEmail.toUpperCase()}`,
  ]);
  t.like(task, { runTaskId, status: 'COMPLETED' });
  const { entries, values } = await valuesOf(work, runTaskId);
  t.is(entries.length, 1);
  t.deepEqual(values, ['Berlin, Mitte', 2, 'm', ['mo', 'fr'], false, work.org.ownerUserId]);

  const again = await work.runward(['tasks', 'complete', run.id, runTaskId]);
  t.is(again.code, 0);
  t.is(again.stderr, '"Sign the contract" is already completed.\n');
  const ignored = await work.runward(['tasks', 'complete', run.id, runTaskId, '--value', 'copies=3']);
  t.is(ignored.code, 6);
  t.regex(ignored.stderr, /"Sign the contract" is completed\. To change its form: runward /);
});

test('tasks complete continues the open entry and lists the required fields without a value', async (t) => {
  const work = await newWorkplace();
  const run = await oneRun(work);
  const { runTaskId } = run.byTitle('Sign the contract');
  const opened = await work.org.api.call('execution', 'open', { body: { runTaskId } });
  const fields = (await work.org.api.call('templates', 'publishedFields', { params: { id: run.templateId } })).body
    .data;
  const place = fields.find(({ key }) => key === 'place')?.runTaskFieldId ?? '';
  const body = { executionEntryId: opened.body.id, runTaskFieldId: place, value: 'Bonn' };
  await work.org.api.call('execution', 'submit', { body });

  const missing = await work.runward(['tasks', 'complete', run.id, 'Sign the contract']);
  t.is(missing.code, 6);
  t.regex(missing.stderr, /--value copies=… {2}\(Copies, NUMBER\)/);
  t.false(missing.stderr.includes('place=…'));
  t.like(await work.data(['tasks', 'complete', run.id, 'sign the contract', '--value', 'copies=1']), {
    status: 'COMPLETED',
  });
  const { entries, values } = await valuesOf(work, runTaskId);
  t.is(entries[0]?.id, opened.body.id);
  t.deepEqual(values, ['Bonn', 1]);
});

test('tasks complete leaves out fields that rules hide, and requires them once the values show them', async (t) => {
  const { data, runward } = await newWorkplace();
  const answer = (key: string) => ({ key, label: key, type: 'TEXT', required: true });
  const conditions = [{ field: 'country', operator: 'EQUALS', value: 'CH' }];
  const rules = [{ conditions, actions: [{ type: 'SHOW', fields: ['customs'] }] }];
  const file = { name: 'Parcels', tasks: [{ title: 'Send', fields: [answer('country'), answer('customs')], rules }] };
  await data(['templates', 'push', '-', '--publish'], { input: JSON.stringify(file) });
  const launch = async () => (await data<{ id: string }>(['runs', 'launch', '--template', 'Parcels'])).id;
  const complete = (run: string, value: string) => runward(['tasks', 'complete', run, 'Send', '--value', value]);

  const [inland, abroad] = [await launch(), await launch()];
  t.is((await complete(inland, 'country=DE')).code, 0);
  const shown = await complete(abroad, 'country=CH');
  t.is(shown.code, 6);
  t.regex(shown.stderr, /--value customs=… {2}\(customs, TEXT\)/);
  t.is((await complete(abroad, 'customs=0815')).code, 0);
});

test('tasks complete with an invalid value, an unknown field or an ambiguous title fails and changes nothing', async (t) => {
  const work = await newWorkplace();
  const run = await oneRun(work);
  const complete = (...args: string[]) => work.runward(['tasks', 'complete', run.id, ...args]);
  const wrong = await complete('sign', '--value', 'copies=two', '--value', 'size=XL', '--value', 'remote=maybe');
  t.is(wrong.code, 6);
  t.regex(wrong.stderr, /--value copies: "Copies" must be a number/);
  t.regex(wrong.stderr, /--value size: "Shirt" must be one of the option keys: s, m/);
  t.regex(wrong.stderr, /--value remote: "Remote" must be true or false/);

  const unknown = await complete('sign', '--value', 'copie=1');
  t.is(unknown.code, 2);
  t.regex(unknown.stderr, /Did you mean "copies"\?/);
  const ambiguous = await complete('s');
  t.is(ambiguous.code, 2);
  t.regex(ambiguous.stderr, /fits several tasks/);
  t.is((await complete('nothing')).code, 3);
  t.is((await complete('sign', '--value', 'copies=1', '--direct')).code, 2);
  t.deepEqual((await valuesOf(work, run.byTitle('Sign the contract').runTaskId)).entries, []);
});

test('a task before its run is an error that says the order', async (t) => {
  const work = await newWorkplace();
  const { publicId } = await oneRun(work);
  for (const command of ['complete', 'reopen', 'approve', 'wait']) {
    const { code, stderr } = await work.runward(['tasks', command, 'Sign the contract', publicId]);
    t.is(code, 2);
    t.is(stderr, `Error: "${publicId}" is a run. Give the run first, then the task.\n`);
  }
  const neither = await work.runward(['tasks', 'complete', 'Sign the contract', 'x']);
  t.is(neither.code, 3);
  t.regex(neither.stderr, /No run has the title "Sign the contract"/);
});

test('tasks complete --direct completes the task without its form', async (t) => {
  const work = await newWorkplace();
  const run = await oneRun(work);
  t.like(await work.data(['tasks', 'complete', run.id, 'sign', '--direct']), { status: 'COMPLETED' });
  await work.org.api.call('runs', 'cancel', { params: { id: run.id } });
  const over = await work.runward(['tasks', 'complete', run.id, 'other', '--direct']);
  t.is(over.code, 6);
  t.regex(over.stderr, /The run is CANCELLED\. To continue it: runward runs reopen/);
  const table = await work.runward(['tasks', 'list', run.id, '-o', 'table', '--fields', 'status,title']);
  t.is(
    table.stdout,
    'status     title\nCOMPLETED  Sign the contract\nPENDING    Send the contract\nPENDING    Other\n',
  );
});

test('tasks assign accepts the ID or email address of a member, or the ID of a group; --none unassigns', async (t) => {
  const work = await newWorkplace();
  const run = await oneRun(work);
  const ada = await work.org.member('Ada');
  const assign = (...args: string[]) => ['tasks', 'assign', run.id, 'Other', ...args];
  t.is((await work.data<Task>(assign('--user', ada.email))).assigneeId, ada.id);
  t.is((await work.data<Task>(assign('--none'))).assigneeId, null);
  t.is((await work.data<Task>(assign('--user', ada.id))).assigneeId, ada.id);
  t.is((await work.runward(assign('--user', 'nobody@example.com'))).code, 3);
  t.is((await work.runward(assign('--group', '0195f3a0-5a50-7c1e-9d0f-3f2b8c1d4e5f'))).code, 6);
  t.is((await work.runward(assign())).code, 2);
});

test('tasks due accepts a date or a time, in the local time zone; --clear removes it', async (t) => {
  const work = await newWorkplace({ timeZone: 'Europe/Berlin' });
  const run = await oneRun(work);
  const due = (...args: string[]) => ['tasks', 'due', run.id, 'Other', ...args];
  // The time zone is a setting of the process.
  const env = { ...work.env, TZ: 'Europe/Berlin' };
  const inBerlin = async (...args: string[]) =>
    JSON.parse((await finished(spawnCommand(due(...args), { env }))).stdout);
  t.like(await inBerlin('2035-03-01'), { dueAt: '2035-03-01T11:00:00.000Z', dueAtHasTime: false });
  t.like(await inBerlin('2035-03-01T17:00'), { dueAt: '2035-03-01T16:00:00.000Z', dueAtHasTime: true });
  t.like(await work.data(due('--clear')), { dueAt: null });
  t.is((await work.runward(due('tomorrow'))).code, 2);
  t.is((await work.runward(due())).code, 2);
  t.is((await getRun(work.org.api, run.id)).byTitle('Other').dueAt, null);
});

test('tasks update changes tasks of several runs, all or none', async (t) => {
  const work = await newWorkplace();
  const runs = [await oneRun(work), await oneRun(work)];
  const ada = await work.org.member('Ada');
  const ids = runs.map((run) => run.byTitle('Other').runTaskId);
  const update = (...args: string[]) => work.runward(['tasks', 'update', ...args]);
  const others = async () => Promise.all(runs.map(async ({ id }) => (await getRun(work.org.api, id)).byTitle('Other')));

  const changed = await update(...ids, ...ids, '--user', ada.email, '--due', '2035-03-01T16:00Z');
  t.deepEqual([changed.code, changed.stderr], [0, 'Tasks updated: 2.\n']);
  for (const task of await others()) {
    t.like(task, { status: 'PENDING', assigneeId: ada.id, dueAt: '2035-03-01T16:00:00.000Z', dueAtHasTime: true });
  }
  t.is((await update(...ids, '--unassign', '--clear-due', '--status', 'completed')).code, 0);
  for (const task of await others()) t.like(task, { status: 'COMPLETED', assigneeId: null, dueAt: null });

  await work.org.api.call('runs', 'cancel', { params: { id: runs[1]?.id ?? '' } });
  const rejected = await update(...ids, '--status', 'PENDING');
  t.is(rejected.code, 6);
  t.regex(rejected.stderr, /taskIds\[1\]: The run is CANCELLED; reopen it first\./);
  t.notRegex(rejected.stderr, /taskIds\[0\]/);
  for (const task of await others()) t.is(task.status, 'COMPLETED');
});

test('tasks update rejects options that contradict each other, or that change nothing', async (t) => {
  const work = await newWorkplace();
  const id = '0195f3a0-5a50-7c1e-9d0f-3f2b8c1d4e5f';
  const calls = [
    [id],
    ['sign', '--status', 'COMPLETED'],
    [id, '--status', 'BLOCKED'],
    [id, '--user', 'ada@example.com', '--unassign'],
    [id, '--due', '2035-03-01', '--clear-due'],
    [id, '--date-only', '--clear-due'],
    [id, '--due', 'tomorrow'],
  ];
  for (const args of calls) t.is((await work.runward(['tasks', 'update', ...args])).code, 2, args.join(' '));
  t.is((await work.runward(['tasks', 'update', id, '--clear-due'])).code, 3);
});

test('a due date that does not exist is rejected', (t) => {
  t.deepEqual(parseDueDate('2026-03-01T10:00:00Z', true), { dueAt: '2026-03-01T10:00:00.000Z', dueAtHasTime: false });
  t.deepEqual(parseDueDate('2026-03-01 10:00:00+02:00', false), {
    dueAt: '2026-03-01T08:00:00.000Z',
    dueAtHasTime: true,
  });
  for (const text of ['2026-02-30', '2026-13-01', '2026-02-30T10:00Z', '01.03.2026', '2026-03-01T25:00', '']) {
    t.throws(() => parseDueDate(text, false), { message: /neither a date/ });
  }
});
