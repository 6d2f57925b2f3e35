import { useApp } from '@runward/testing/app';
import { newOrganization } from '@runward/testing/organization';
import { launchRun, must, publishProcess } from '@runward/testing/process';
import test from 'ava';

const app = useApp(test, { limits: { runBytes: 6_000 } });

test('values that make a run larger than the limit are a 400, change nothing, and the run can still be cancelled', async (t) => {
  const { api } = await newOrganization(app);
  const { templateId, fields } = await publishProcess(api, [
    { title: 'Log', repeatable: true, fields: [{ label: 'Text', type: 'LONG_TEXT' }] },
    { title: 'Last' },
  ]);
  const run = await launchRun(api, templateId);
  const { runTaskId } = run.byTitle('Log');
  const values = [{ runTaskFieldId: fields['text']?.id ?? '', value: 'x'.repeat(1_500) }];
  const submit = (complete: boolean) => api.call('execution', 'submitForm', { body: { runTaskId, values, complete } });

  const answers = [await submit(true), await submit(true), await submit(true)];
  t.deepEqual(
    answers.map(({ status }) => status),
    [200, 200, 400],
  );
  t.regex(
    String(answers[2]?.error.message),
    /^The entries and values of the run would take \d+ bytes, but .* 6000; shorten/,
  );
  const entries = await must(api.call('execution', 'entries', { params: { runTaskId }, query: {} }));
  t.is(entries.total, 2);
  t.is((await api.call('runs', 'cancel', { params: { id: run.id } })).status, 200);
});
