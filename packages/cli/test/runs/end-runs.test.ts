import { getRun, launchRun, publishProcess } from '@runward/testing/process';
import test from 'ava';
import { useServer } from '../support/service.ts';

const { newWorkplace } = useServer(test);

interface Result {
  readonly runId: string;
  readonly outcome: string;
  readonly messages: readonly string[];
}

test('runs cancel and runs reopen take several runs, and report what became of each', async (t) => {
  const { org, data, runward } = await newWorkplace();
  const { templateId } = await publishProcess(org.api);
  const one = await launchRun(org.api, templateId, { title: 'One' });
  const two = await launchRun(org.api, templateId, { title: 'Two' });
  t.like(await data(['runs', 'cancel', one.id]), { id: one.id, status: 'CANCELLED' });

  const some = await runward(['runs', 'cancel', 'one', 'two', 'One', '-o', 'csv', '--fields', 'runId,outcome']);
  t.is(some.code, 1);
  t.is(some.stdout, `runId,outcome\n${one.id},failed\n${two.id},cancelled\n`);
  t.is(some.stderr, 'One: The run is CANCELLED; reopen it first.\n');
  t.is((await getRun(org.api, two.id)).status, 'CANCELLED');

  const reopened: Result[] = await data(['runs', 'reopen', 'One', 'Two']);
  t.deepEqual(
    reopened.map(({ runId, outcome }) => [runId, outcome]),
    [
      [one.id, 'reopened'],
      [two.id, 'reopened'],
    ],
  );
  t.is((await runward(['runs', 'cancel', 'One', 'Three'])).code, 3);
  t.is((await getRun(org.api, one.id)).status, 'RUNNING');
});

test('runs cancel of several runs stops at an error that does not concern a run', async (t) => {
  const { org, runward, newKey } = await newWorkplace();
  const { templateId } = await publishProcess(org.api);
  const runs = [await launchRun(org.api, templateId), await launchRun(org.api, templateId)];
  const env = { RUNWARD_API_KEY: await newKey(['runs:read']) };
  const refused = await runward(['runs', 'cancel', ...runs.map(({ id }) => id), '-o', 'json'], { env });
  t.is(refused.code, 4);
  const results = JSON.parse(refused.stdout) as Result[];
  t.deepEqual(
    results.map(({ outcome }) => outcome),
    ['failed', 'not tried'],
  );
});
