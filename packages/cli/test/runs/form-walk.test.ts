import { launchRun, publishProcess, type TaskSketch } from '@runward/testing/process';
import { until } from '@runward/testing/until';
import test from 'ava';
import { useServer, type Workplace } from '../support/service.ts';
import { keys, onTerminal, openTerminal } from '../support/terminal.ts';

const { newWorkplace } = useServer(test);
const { enter, escape, ctrlC, ctrlD, clear } = keys;

const form: TaskSketch = {
  title: 'Sign',
  description: 'Both parties sign.\nKeep a copy.',
  fields: [
    { key: 'place', label: 'Place', type: 'TEXT', required: true },
    { key: 'copies', label: 'Copies', type: 'NUMBER' },
    { key: 'note', label: 'Note', type: 'TEXT', required: true },
  ],
};

async function oneRun({ org }: Workplace) {
  const { templateId } = await publishProcess(org.api, [form]);
  const run = await launchRun(org.api, templateId);
  const { runTaskId } = run.byTitle('Sign');
  const values = async () => {
    const { body } = await org.api.call('execution', 'entries', { params: { runTaskId } });
    return body.data[0]?.fieldValues.map(({ value }) => value);
  };
  return { run, values };
}

onTerminal('Ctrl-C in a form saves what was entered, and the next walk starts from there', async (t) => {
  const work = await newWorkplace();
  const { run, values } = await oneRun(work);
  const { publicId } = (await work.org.api.call('runs', 'get', { params: { id: run.id } })).body;

  const first = openTerminal(t, ['tasks', 'complete', run.id, 'Sign'], work);
  await first.type('1 of 3: Place *', 'Berlin', enter);
  await first.type('2 of 3: Copies', '2', enter);
  await first.type('3 of 3: Note *', 'unfinished', escape);
  await first.type('2 of 3: Copies', clear, '3', enter);
  await first.type('3 of 3: Note *', ctrlC);
  const { code, screen } = await first.end();
  t.is(code, 130, screen);
  t.regex(screen, /^Sign\s+Both parties sign\.\s+Keep a copy\.\s+RUN-/);
  t.regex(screen, /\* means that a value is required/);
  t.regex(screen, /"Place", "Copies"; they are saved/);
  t.true(screen.replaceAll(/\s+/g, ' ').includes(`To go on: runward tasks complete ${publicId} "Sign"`), screen);
  t.deepEqual(await values(), ['Berlin', 3]);

  const second = openTerminal(t, ['tasks', 'complete', publicId, 'Sign'], work);
  await second.type('1 of 3: Place *', escape);
  // The question that Escape left is shown once more, without the mark of one that waits for an answer.
  await second.type('◆  1 of 3: Place *', enter);
  await second.type('2 of 3: Copies', enter);
  await second.type('3 of 3: Note *', 'done', enter);
  const ended = await second.end();
  t.is(ended.code, 0, ended.screen);
  t.regex(ended.screen, /^status +COMPLETED/m);
  t.deepEqual(await values(), ['Berlin', 3, 'done']);
});

onTerminal('Ctrl-D at an empty line saves what was entered, like Ctrl-C', async (t) => {
  const work = await newWorkplace();
  const { run, values } = await oneRun(work);
  const terminal = openTerminal(t, ['tasks', 'complete', run.id, 'Sign'], work);
  await terminal.type('Place *', 'Berlin', enter);
  await terminal.type('Copies', ctrlD);
  const { code, screen } = await terminal.end();
  t.is(code, 130, screen);
  t.regex(screen, /"Place"; they are saved/);
  t.deepEqual(await values(), ['Berlin']);
});

onTerminal('Ctrl-C before anything was entered changes nothing', async (t) => {
  const work = await newWorkplace();
  const { run, values } = await oneRun(work);
  const terminal = openTerminal(t, ['tasks', 'complete', run.id, 'Sign'], work);
  await terminal.type('Place *', ctrlC);
  const { code, screen } = await terminal.end();
  t.is(code, 130, screen);
  t.regex(screen, /Nothing was entered, so nothing was saved\./);
  t.is(await values(), undefined);
});

onTerminal('a form whose terminal is closed keeps what was entered', async (t) => {
  const work = await newWorkplace();
  const { run, values } = await oneRun(work);
  const terminal = openTerminal(t, ['tasks', 'complete', run.id, 'Sign'], work);
  await terminal.type('Place *', 'Berlin', enter);
  await terminal.type('Copies');
  terminal.hangUp();
  await until(async () => (await values()) !== undefined, 'the values');
  await terminal.end();
  t.deepEqual(await values(), ['Berlin']);
});

onTerminal(
  'a form goes back over a field that a rule shows, and leaves the field out when its rule no longer does',
  async (t) => {
    const { data, env } = await newWorkplace();
    const answer = (key: string) => ({ key, label: key, type: 'TEXT', required: true });
    const conditions = [{ field: 'country', operator: 'EQUALS', value: 'CH' }];
    const rules = [{ conditions, actions: [{ type: 'SHOW', fields: ['customs'] }] }];
    const file = { name: 'Parcels', tasks: [{ title: 'Send', fields: [answer('country'), answer('customs')], rules }] };
    await data(['templates', 'push', '-', '--publish'], { input: JSON.stringify(file) });
    const { id } = await data<{ id: string }>(['runs', 'launch', '--template', 'Parcels']);

    const terminal = openTerminal(t, ['tasks', 'complete', id, 'Send'], { env });
    await terminal.type('1 of 1: country *', 'CH', enter);
    await terminal.type('2 of 2: customs *', '0815', escape);
    await terminal.type('1 of 2: country *', clear, 'DE', enter);
    const { code, screen } = await terminal.end();
    t.is(code, 0, screen);
    t.regex(screen, /^status +COMPLETED/m);
  },
);

onTerminal('tasks fill on a terminal saves what is entered, and needs no value', async (t) => {
  const work = await newWorkplace();
  const { run, values } = await oneRun(work);
  const terminal = openTerminal(t, ['tasks', 'fill', run.id, 'Sign'], work);
  await terminal.type('1 of 3: Place *', enter);
  await terminal.type('Copies', '2', enter);
  await terminal.type('Note *', enter);
  const { code, screen } = await terminal.end();
  t.is(code, 0, screen);
  t.regex(screen, /The form is saved\. Still required: "Place", "Note"\./);
  t.regex(screen, /^status +PENDING/m);
  t.deepEqual(await values(), [2]);
});

onTerminal('a value that the server rejects is asked for again, and the others are saved', async (t) => {
  const { org, newKey, baseUrl } = await newWorkplace();
  const buddyForm: TaskSketch = {
    title: 'Sign',
    fields: [
      { key: 'place', label: 'Place', type: 'TEXT', required: true },
      { key: 'buddy', label: 'Buddy', type: 'USER' },
      { key: 'note', label: 'Note', type: 'TEXT', required: true },
    ],
  };
  const { templateId } = await publishProcess(org.api, [buddyForm]);
  const { id, byTitle } = await launchRun(org.api, templateId);
  const values = async () => {
    const { body } = await org.api.call('execution', 'entries', { params: { runTaskId: byTitle('Sign').runTaskId } });
    return body.data[0]?.fieldValues.map(({ value }) => value);
  };
  // Without users:read, the command cannot know the members.
  const apiKey = await newKey(['runs:read', 'runs:write', 'templates:read']);
  const work = { env: { RUNWARD_API_KEY: apiKey, RUNWARD_BASE_URL: baseUrl } };

  const first = openTerminal(t, ['tasks', 'complete', id, 'Sign'], work);
  await first.type('1 of 3: Place *', 'Berlin', enter);
  await first.type('2 of 3: Buddy', id, enter);
  await first.type('3 of 3: Note *', 'done', enter);
  await first.type('"Buddy" must be an active member of this organization');
  await first.type('2 of 3: Buddy', ctrlC);
  const stopped = await first.end();
  t.is(stopped.code, 130, stopped.screen);
  t.regex(stopped.screen, /Not saved: "Buddy" must be an active member/);
  t.deepEqual(await values(), ['Berlin', 'done']);

  const second = openTerminal(t, ['tasks', 'complete', id, 'Sign'], work);
  await second.type('1 of 3: Place *', enter);
  await second.type('2 of 3: Buddy', id, enter);
  await second.type('3 of 3: Note *', enter);
  await second.type('2 of 3: Buddy', clear, org.ownerUserId, enter);
  const ended = await second.end();
  t.is(ended.code, 0, ended.screen);
  t.deepEqual(await values(), ['Berlin', org.ownerUserId, 'done']);
});

test('tasks fill --value saves values and does not complete; without a terminal it needs --value', async (t) => {
  const work = await newWorkplace();
  const { run, values } = await oneRun(work);
  const fill = (...args: string[]) => work.runward(['tasks', 'fill', run.id, 'Sign', ...args]);
  t.is((await fill()).code, 2);
  const wrong = await fill('--value', 'copies=two');
  t.is(wrong.code, 6);
  const partly = await fill('--value', 'place=Berlin', '-o', 'table');
  t.is(partly.code, 0, partly.stderr);
  t.regex(partly.stderr, /^The form is saved\. Still required: "Note"\.$/m);
  t.regex(partly.stdout, /^status +PENDING/m);
  const whole = await fill('--value', 'note=x', '--value', 'copies=2');
  t.regex(whole.stderr, /^The form is saved\. To complete the task: runward tasks complete RUN-\w+ "Sign"$/m);
  t.deepEqual(await values(), ['Berlin', 2, 'x']);

  t.is((await work.runward(['tasks', 'complete', run.id, 'Sign'])).code, 0);
  const ended = await fill('--value', 'note=y');
  t.is(ended.code, 6);
  t.regex(ended.stderr, /The run is COMPLETED\. To continue it: runward runs reopen/);
});

test('tasks reopen sets a completed task back with the values of its form, also one that was completed directly', async (t) => {
  const work = await newWorkplace();
  const { org, data, runward } = work;
  const { templateId } = await publishProcess(org.api, [form, { title: 'Other' }, { title: 'Last' }]);
  const run = await launchRun(org.api, templateId);
  await data(['tasks', 'complete', run.id, 'Sign', '--value', 'place=Berlin', '--value', 'note=x']);
  const closed = await runward(['tasks', 'fill', run.id, 'Sign', '--value', 'note=y']);
  t.is(closed.code, 6);
  t.regex(closed.stderr, /To change its form: runward tasks reopen RUN-\w+ "Sign"/);
  t.like(await data(['tasks', 'reopen', run.id, 'Sign']), { status: 'PENDING' });
  t.like(await data(['tasks', 'complete', run.id, 'Sign', '--value', 'note=y']), { status: 'COMPLETED' });
  const { body } = await org.api.call('execution', 'entries', { params: { runTaskId: run.byTitle('Sign').runTaskId } });
  t.deepEqual(
    body.data.map(({ fieldValues }) => fieldValues.map(({ value }) => value)),
    [['Berlin', 'y']],
  );

  await data(['tasks', 'complete', run.id, 'Other', '--direct']);
  t.like(await data(['tasks', 'reopen', run.id, 'Other']), { status: 'PENDING' });
  const open = await runward(['tasks', 'reopen', run.id, 'Other']);
  t.is(open.code, 0);
  t.regex(open.stderr, /"Other" is not completed; it is PENDING\./);
});

test('a blocked task can be filled in, and completed once it is unblocked', async (t) => {
  const { data, runward } = await newWorkplace();
  const fields = [{ key: 'place', label: 'Place', type: 'TEXT', required: true }];
  const file = { name: 'Contract', tasks: [{ title: 'Draft' }, { title: 'Sign', dependsOn: ['Draft'], fields }] };
  await data(['templates', 'push', '-', '--publish'], { input: JSON.stringify(file) });
  const { id } = await data<{ id: string }>(['runs', 'launch', '--template', 'Contract']);

  const blocked = await runward(['tasks', 'complete', id, 'Sign', '--value', 'place=Bonn']);
  t.is(blocked.code, 6);
  t.regex(blocked.stderr, /"Sign" is blocked until these are completed: "Draft"\./);
  t.regex(blocked.stderr, /To fill in its form meanwhile: runward tasks fill RUN-\w+ "Sign"/);
  t.like(await data(['tasks', 'fill', id, 'Sign', '--value', 'place=Bonn']), { status: 'BLOCKED' });
  const wait = await runward(['tasks', 'wait', id, 'Sign', '--until', 'BLOCKED']);
  t.regex(wait.stderr, /"Sign" is BLOCKED by "Draft"\.\n$/);

  await data(['tasks', 'complete', id, 'Draft']);
  t.like(await data(['tasks', 'complete', id, 'Sign']), { status: 'COMPLETED' });
});
