import { useApp } from '@runward/testing/app';
import { newOrganization } from '@runward/testing/organization';
import { getRun, launchRun, must, publishProcess } from '@runward/testing/process';
import test from 'ava';
import { publishDraft } from '../../support/templates.ts';

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
    /^The entries and values of the run, .* would take \d+ bytes, but .* 6000; shorten/,
  );
  const entries = await must(api.call('execution', 'entries', { params: { runTaskId }, query: {} }));
  t.is(entries.total, 2);
  t.is((await api.call('runs', 'cancel', { params: { id: run.id } })).status, 200);
});

test('a run keeps tasks of earlier versions only until they take as much as its limit', async (t) => {
  const { api } = await newOrganization(app);
  const tasks = (name: string) => [{ title: name, description: 'x'.repeat(2_000) }];
  const templateId = await publishDraft(api, tasks('First'));
  const params = { id: templateId };
  const run = await launchRun(api, templateId);
  const migrateTo = async (name: string) => {
    const body = { phases: [], tasks: tasks(name), variables: [] };
    await must(api.call('templates.draft', 'replace', { params, body }));
    await must(api.call('templates', 'publish', { params }));
    return api.call('runs', 'migrateToLatest', { params: { id: run.id } });
  };
  t.is((await migrateTo('Second')).status, 200);
  t.is((await migrateTo('Third')).status, 200);
  const { status, error } = await migrateTo('Fourth');
  t.like({ status, ...error }, { status: 400, code: 'size_exceeded' });
  const { tasks: shown } = await getRun(api, run.id);
  t.deepEqual(
    shown.map(({ title }) => title),
    ['Third'],
  );
  const launched = await must(api.call('runs', 'get', { params: { id: run.id }, query: { at: run.createdAt } }));
  t.deepEqual(
    launched.tasks.map(({ title }) => title),
    ['First'],
  );
});
