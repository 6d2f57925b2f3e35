import { setTimeout as pause } from 'node:timers/promises';
import { launchRun, must, publishProcess } from '@runward/testing/process';
import { until } from '@runward/testing/until';
import test from 'ava';
import { runCommand, startCommand } from '../support/command.ts';
import { useServer } from '../support/service.ts';

const { newWorkplace } = useServer(test);

interface Run {
  readonly id: string;
  readonly publicId: string;
  readonly title: string;
  readonly status: string;
}

test('runs launch finds a template by name and parses variables by their type; runs get prints the run', async (t) => {
  const { org, data, runward } = await newWorkplace();
  const { templateId } = await publishProcess(org.api, [{ title: 'First' }], { name: 'Onboarding' }, [
    { key: 'fullName' },
    { key: 'copies', defaultValue: 1 },
    { key: 'remote', defaultValue: false },
    { key: 'floor', type: 'NUMBER' },
    { key: 'note', defaultValue: 'none' },
  ]);
  const launched: Run = await data([
    'runs',
    'launch',
    '--template',
    'Onboarding',
    '--title',
    'Onboarding: Ada',
    '--date',
    '2026-03-01',
    '--owner',
    org.ownerEmail,
    '--var',
    'fullName=Ada = Lovelace',
    '--var',
    'copies=2',
    '--var',
    'remote=yes',
    '--var',
    'floor=3',
    '--var',
    'note=',
  ]);
  t.like(launched, { title: 'Onboarding: Ada', status: 'RUNNING', templateId });
  const variables = await org.api.call('runs', 'variables', { params: { id: launched.id } });
  t.deepEqual(
    variables.body.data.map(({ key, value }) => [key, value]),
    [
      ['fullName', 'Ada = Lovelace'],
      ['copies', 2],
      ['remote', true],
      ['floor', 3],
      ['note', null],
    ],
  );
  const got: Run & { tasks: { title: string }[] } = await data(['runs', 'get', launched.id]);
  t.is(got.tasks[0]?.title, 'First');

  const table = await runward(['runs', 'get', launched.id, '-o', 'table']);
  t.regex(table.stdout, /^title +Onboarding: Ada$/m);
  t.regex(table.stdout, /^runTaskId +status +required +dueAt +title$/m);
  t.false(table.stdout.includes('\u001B'));
});

test('runs launch rejects invalid options before it sends anything', async (t) => {
  const { org, runward, data } = await newWorkplace();
  await publishProcess(org.api, [{ title: 'First' }], { name: 'Onboarding' }, [{ key: 'copies', defaultValue: 1 }]);
  const wrong = await runward([
    'runs',
    'launch',
    '--template',
    'Onboarding',
    '--date',
    '2026-02-30',
    '--owner',
    'ada',
    '--var',
    'copies=two',
    '--var',
    'x=1',
  ]);
  t.is(wrong.code, 6);
  t.regex(wrong.stderr, /var\.copies: must be a number, not "two"/);
  t.regex(wrong.stderr, /var\.x: unknown variable; the template has copies/);
  t.regex(wrong.stderr, /date: must be a date like 2026-03-01/);
  t.regex(wrong.stderr, /owner: must be an email address/);
  t.is(wrong.stdout, '');

  const misspelled = await runward(['runs', 'launch', '--template', 'onbording']);
  t.is(misspelled.code, 3);
  t.regex(misspelled.stderr, /Did you mean "Onboarding"\?/);

  t.is((await runward(['runs', 'launch'])).code, 2);
  t.regex((await runward(['runs', 'launch', '--template', 'Onboarding', '--dry-run'])).stderr, /--dry-run needs --csv/);
  t.deepEqual(await data(['runs', 'list']), []);
});

test('runs list applies its filters, stops at --limit and prints all with --all', async (t) => {
  const { org, data, runward } = await newWorkplace();
  const { templateId } = await publishProcess(org.api, [{ title: 'First' }], { name: 'One' });
  const other = await publishProcess(org.api, [{ title: 'First' }], { name: 'Other' });
  for (const title of ['a', 'b', 'c'])
    await launchRun(org.api, templateId, { title, scheduledDateLocal: '2026-03-01' });
  const { id } = await launchRun(org.api, other.templateId, { title: 'd' });
  await org.api.call('runs', 'cancel', { params: { id } });
  const titles = async (...args: string[]) => (await data<Run[]>(['runs', 'list', ...args])).map(({ title }) => title);

  t.deepEqual(await titles(), ['d', 'c', 'b', 'a']);
  t.deepEqual(await titles('--template', 'One', '--status', 'RUNNING', '--scheduled-date', '2026-03-01'), [
    'c',
    'b',
    'a',
  ]);
  t.deepEqual(await titles('--status', 'CANCELLED'), ['d']);
  t.deepEqual(await titles('--all'), ['d', 'c', 'b', 'a']);
  t.deepEqual(await titles('--archived'), []);
  t.deepEqual(await titles('--stalled-for-days', '1'), []);
  const limited = await runward(['runs', 'list', '--limit', '2']);
  t.is((JSON.parse(limited.stdout) as Run[]).length, 2);
  t.is(limited.stderr, '2 of 4; --all prints all.\n');
  t.is((await runward(['runs', 'list', '--status', 'DONE'])).code, 2);
});

test('runs complete, cancel and reopen change the run; a rejected completion names the open tasks and exits with 6', async (t) => {
  const { org, data, runward } = await newWorkplace();
  const { templateId } = await publishProcess(org.api, [{ title: 'Needed' }]);
  const { id, byTitle } = await launchRun(org.api, templateId);

  const early = await runward(['runs', 'complete', id, '-o', 'json']);
  t.is(early.code, 6);
  const reported: { error: string; messages: string[]; statusCode: number; exitCode: number } = JSON.parse(
    early.stderr,
  );
  t.like(reported, { error: 'Bad Request', statusCode: 400, exitCode: 6 });
  t.regex(reported.messages.join(), /"Needed"/);

  t.like(await data(['runs', 'cancel', id]), { status: 'CANCELLED' });
  t.like(await data(['runs', 'reopen', id]), { status: 'RUNNING' });
  const params = { taskId: byTitle('Needed').runTaskId };
  await org.api.call('runs.tasks', 'setStatus', { params, body: { status: 'COMPLETED' } });
  t.is((await runward(['runs', 'complete', id])).code, 6);
});

test('a run is identified by its ID or a part of it, its public ID, its title, or @last; what no run has exits with 3', async (t) => {
  const { org, data, runward } = await newWorkplace();
  const { templateId } = await publishProcess(org.api, [{ title: 'Only task' }]);
  const first = await launchRun(org.api, templateId);
  const second = await launchRun(org.api, templateId);
  await must(org.api.call('runs', 'cancel', { params: { id: first.id } }));
  await must(org.api.call('runs', 'archive', { body: { runIds: [first.id] } }));

  for (const text of [first.id.toUpperCase(), first.publicId.toLowerCase(), first.id.slice(-12)]) {
    t.like(await data(['runs', 'get', text]), { id: first.id }, text);
  }
  for (const text of [second.publicId, '@last']) t.like(await data(['runs', 'get', text]), { id: second.id }, text);

  const twin = await launchRun(org.api, templateId);
  // IDs start with their creation time, so a short start fits several.
  const ambiguous = await runward(['runs', 'cancel', second.id.slice(0, 6)]);
  t.is(ambiguous.code, 2);
  t.regex(ambiguous.stderr, new RegExp(`fits several runs; use more of the ID:\\n.*${twin.id} .*\\n.*${second.id} `));
  t.like(await data(['runs', 'get', '@last']), { id: twin.id, status: 'RUNNING' });

  const nonsense = await runward(['runs', 'get', 'first']);
  t.is(nonsense.code, 3);
  t.regex(nonsense.stderr, /No run has the title "first"\. See: runward runs list/);
  const unknown = await runward(['runs', 'get', '0195f3a0-5a50-7c1e-9d0f-3f2b8c1d4e5f']);
  t.is(unknown.code, 3);
  t.regex(unknown.stderr, /Error: .*\n.*whoami\n {2}\(request /);
  const foreign = await runward(['runs', 'get', 'RUN-7K3M9Q']);
  t.is(foreign.code, 3);
  t.regex(foreign.stderr, /No run has the ID RUN-7K3M9Q/);
});

test('runs watch prints the activity as JSONL and ends when the run is completed', async (t) => {
  const { org, env } = await newWorkplace();
  const { templateId } = await publishProcess(org.api, [{ title: 'Only task' }]);
  const { id, byTitle } = await launchRun(org.api, templateId);
  const watch = startCommand(['runs', 'watch', id, '--interval', '0.1'], { env });
  await until(() => watch.stdout().includes('run.started'), 'the first line');
  const params = { taskId: byTitle('Only task').runTaskId };
  await org.api.call('runs.tasks', 'setStatus', { params, body: { status: 'COMPLETED' } });

  const { code, stdout, stderr } = await watch.finished;
  t.is(code, 0);
  t.regex(stderr, /is RUNNING\.\n$/);
  const lines = stdout
    .trim()
    .split('\n')
    .map((line): { type: string; sequence: number } => JSON.parse(line));
  t.deepEqual(
    lines.map(({ type, sequence }) => [sequence, type]),
    [
      [1, 'run.started'],
      [2, 'task.completed'],
      [3, 'run.completed'],
    ],
  );
});

test('runs watch fails if the run is cancelled; in table format it prints lines', async (t) => {
  const { org, runward } = await newWorkplace();
  const { templateId } = await publishProcess(org.api, [{ title: 'Only task' }]);
  const { id } = await launchRun(org.api, templateId);
  await org.api.call('runs', 'cancel', { params: { id } });
  const { code, stdout } = await runward(['runs', 'watch', id, '-o', 'table']);
  t.is(code, 1);
  t.regex(stdout, /^\S+Z {2}run\.started {2}by Owner \(API key\)\n\S+Z {2}run\.cancelled {2}by Owner \(API key\)\n$/);
});

test('a command that is stopped exits with 130 and prints nothing more', async (t) => {
  const { org, env } = await newWorkplace();
  const { templateId } = await publishProcess(org.api, [{ title: 'Only task' }]);
  const { id } = await launchRun(org.api, templateId);
  const watch = startCommand(['runs', 'watch', id, '--interval', '0.1'], { env });
  await until(() => watch.stdout().includes('run.started'), 'the first line');
  watch.interrupt();
  const { code, stdout, stderr } = await watch.finished;
  t.is(code, 130);
  t.regex(stderr, /is RUNNING\.\n$/);
  await org.api.call('runs', 'cancel', { params: { id } });
  await pause(300);
  t.deepEqual([watch.stdout(), watch.stderr()], [stdout, stderr]);
});

test('an unreachable server exits with 1, a missing API key with 4', async (t) => {
  const unreachable = await runCommand(['runs', 'list'], {
    env: { RUNWARD_API_KEY: 'sk_live_secret', RUNWARD_BASE_URL: 'http://127.0.0.1:1' },
  });
  t.is(unreachable.code, 1);
  t.regex(unreachable.stderr, /Check that the URL of the server \(http/);
  const keyless = await runCommand(['runs', 'list', '-o', 'json']);
  t.is(keyless.code, 4);
  t.like(JSON.parse(keyless.stderr), { error: 'Not Allowed', exitCode: 4 });
});
