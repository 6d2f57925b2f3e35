import { launchRun, must, publishProcess } from '@runward/testing/process';
import { until } from '@runward/testing/until';
import test from 'ava';
import { durationMs } from '../../src/time.ts';
import { startCommand } from '../support/command.ts';
import { useServer, type Workplace } from '../support/service.ts';

const { newWorkplace } = useServer(test);

async function oneRun({ org }: Workplace) {
  const { templateId } = await publishProcess(org.api, [{ title: 'First' }, { title: 'Second' }]);
  const run = await launchRun(org.api, templateId);
  const complete = (title: string) => {
    const params = { taskId: run.byTitle(title).runTaskId };
    return must(org.api.call('runs.tasks', 'setStatus', { params, body: { status: 'COMPLETED' } }));
  };
  return { run, complete };
}

test('runs wait says how far the run is, and succeeds when it is completed', async (t) => {
  const work = await newWorkplace();
  const { run, complete } = await oneRun(work);
  const wait = startCommand(['runs', 'wait', run.id, '--interval', '0.1', '-o', 'csv', '--fields', 'status'], work);
  await until(() => wait.stderr().includes('is RUNNING; 0 of 2 tasks are completed.'), 'the first line');
  await complete('First');
  await until(() => wait.stderr().includes('1 of 2 tasks'), 'the second line');
  await complete('Second');
  const { code, stdout, stderr } = await wait.finished;
  t.is(code, 0);
  t.is(stdout, 'status\nCOMPLETED\n');
  t.regex(stderr, /is COMPLETED; 2 of 2 tasks are completed\.\n$/);
});

test('runs wait fails if the run ends with another status than the one to wait for', async (t) => {
  const work = await newWorkplace();
  const { run } = await oneRun(work);
  await must(work.org.api.call('runs', 'cancel', { params: { id: run.id } }));
  const completed = await work.runward(['runs', 'wait', run.id, '-o', 'json']);
  t.deepEqual([completed.code, completed.stderr], [1, '']);
  t.like(JSON.parse(completed.stdout), { id: run.id, status: 'CANCELLED' });
  t.is((await work.runward(['runs', 'wait', run.id, '--until', 'cancelled'])).code, 0);
  t.is((await work.runward(['runs', 'wait', run.id, '--until', 'ended'])).code, 2);
});

test('a wait gives up with exit code 124 when the time of --within is over', async (t) => {
  const work = await newWorkplace();
  const { run } = await oneRun(work);
  const given = ['--within', '1s', '--interval', '60'];
  for (const args of [
    ['runs', 'wait', run.id],
    ['tasks', 'wait', run.id, 'First'],
  ]) {
    const { code, stdout, stderr } = await work.runward([...args, ...given]);
    t.is(code, 124, stderr);
    t.regex(stdout, /"status": "(RUNNING|PENDING)"/);
    t.regex(stderr, /Gave up, because the time of --within is over\.\n$/);
  }
});

test('tasks wait succeeds when the task is completed or has the status to wait for, and fails if its run ends before', async (t) => {
  const work = await newWorkplace();
  const { run, complete } = await oneRun(work);
  const start = (...args: string[]) => startCommand(['tasks', 'wait', run.id, ...args, '--interval', '0.1'], work);
  const second = start('Second');
  const first = start('First');
  await until(() => first.stderr().includes('"First" is PENDING.'), 'the first line');
  await complete('First');
  const reached = await first.finished;
  t.is(reached.code, 0);
  t.like(JSON.parse(reached.stdout), { title: 'First', status: 'COMPLETED' });
  t.is((await work.runward(['tasks', 'wait', run.id, 'Second', '--until', 'pending'])).code, 0);

  await must(work.org.api.call('runs', 'cancel', { params: { id: run.id } }));
  const ended = await second.finished;
  t.is(ended.code, 1);
  t.regex(ended.stderr, /is CANCELLED; "Second" is PENDING\.\n$/);
  t.is((await work.runward(['tasks', 'wait', run.id, 'First'])).code, 0);
  t.is((await work.runward(['tasks', 'wait', run.id, 'Third'])).code, 3);
});

test('tasks wait takes a task that a rule hides for done, unless it waits for a status', async (t) => {
  const { data, runward } = await newWorkplace();
  const answer = { key: 'country', label: 'Country', type: 'TEXT' };
  const conditions = [{ field: 'country', operator: 'EQUALS', value: 'CH' }];
  const rules = [{ conditions, actions: [{ type: 'SHOW', tasks: ['Customs'] }] }];
  const file = { name: 'Parcels', tasks: [{ title: 'Send', fields: [answer], rules }, { title: 'Customs' }] };
  await data(['templates', 'push', '-', '--publish'], { input: JSON.stringify(file) });
  const { id } = await data<{ id: string }>(['runs', 'launch', '--template', 'Parcels']);
  const wait = (...args: string[]) => runward(['tasks', 'wait', id, 'Customs', ...args]);
  const hidden = await wait();
  t.is(hidden.code, 0);
  t.regex(hidden.stderr, /"Customs" is hidden by a rule\./);
  t.is((await wait('--until', 'HIDDEN')).code, 0);
  await data(['tasks', 'complete', id, 'Send', '--value', 'country=DE']);
  t.is((await wait('--until', 'COMPLETED')).code, 1);
});

test('a duration that is not a number with a unit is rejected', (t) => {
  t.deepEqual(['90s', '30m', '12h', '2d'].map(durationMs), [90_000, 1_800_000, 43_200_000, 172_800_000]);
  for (const text of ['', '0s', '5', '-1m', '1w', '1h30m']) t.throws(() => durationMs(text), { message: /like 90s/ });
});
