import { launchRun, publishProcess } from '@runward/testing/process';
import test from 'ava';
import { useServer } from '../support/service.ts';

const { newWorkplace } = useServer(test);

test('runs explain prints what a run, or one task, waits for', async (t) => {
  const { org, runward, data } = await newWorkplace();
  const fields = [{ label: 'Name', type: 'TEXT' as const, required: true }];
  const { templateId } = await publishProcess(org.api, [
    { title: 'Ask', fields },
    { title: 'Tell', required: false },
  ]);
  const run = await launchRun(org.api, templateId);
  await org.api.call('execution', 'open', { body: { runTaskId: run.byTitle('Ask').runTaskId } });

  const { stdout } = await runward(['runs', 'explain', run.id, '-o', 'table']);
  t.is(
    stdout,
    `Run: RUNNING
  Required and not completed: "Ask".

Ask: PENDING
  Required fields of its open form have no value: "Name".

Tell: PENDING
  It is not completed, and its form is not open.
`,
  );
  const all = await data<{ run: { completable: boolean }; tasks: unknown[] }>(['runs', 'explain', run.id]);
  t.false(all.run.completable);
  t.is(all.tasks.length, 2);
  t.like(await data(['runs', 'explain', run.id, 'ask']), { title: 'Ask', reasons: [{ code: 'VALUES_MISSING' }] });
  const csv = await runward(['runs', 'explain', run.id, 'tell', '-o', 'csv', '--fields', 'title,code']);
  t.is(csv.stdout, 'title,code\nTell,NOT_OPENED\n');
  t.is((await runward(['runs', 'explain', run.id, 'nope'])).code, 3);
});
