import type { Api } from '@runward/testing/api';
import { newOrganization } from '@runward/testing/organization';
import { getRun, launchRun, must } from '@runward/testing/process';
import { useSharedApp } from '@runward/testing/use-shared-app';
import test from 'ava';
import { isRejected } from '../../support/expect-rejection.ts';
import { publishDraft } from '../../support/templates.ts';

const app = useSharedApp(test);

async function fieldsOf(api: Api, id: string) {
  const { data } = await must(api.call('templates', 'publishedFields', { params: { id } }));
  return (key: string) => data.find((field) => field.key === key)?.runTaskFieldId ?? '';
}

const complete = (api: Api, taskId: string) =>
  api.call('runs.tasks', 'setStatus', { params: { taskId }, body: { status: 'COMPLETED' } });

test('a submitted value shows and hides tasks and fields, assigns tasks and sets variables', async (t) => {
  const { api, ownerUserId } = await newOrganization(app);
  const isAir = {
    source: { type: 'FIELD' as const, fieldId: 'new:mode' },
    operator: 'EQUALS' as const,
    value: 'Air',
  };
  const templateId = await publishDraft(
    api,
    [
      {
        title: 'Ask',
        fields: [
          { id: 'new:mode', label: 'Mode', type: 'TEXT' },
          { id: 'new:port', label: 'Port', type: 'TEXT', required: true },
        ],
        rules: [
          {
            conditions: [isAir],
            actions: [
              { type: 'SHOW', taskIds: ['new:customs'] },
              { type: 'HIDE', fieldIds: ['new:port'] },
              { type: 'ASSIGN', taskId: 'new:ship', assigneeId: ownerUserId },
              { type: 'SET_VARIABLE', key: 'carrier', value: 'Plane' },
            ],
          },
        ],
      },
      { id: 'new:customs', title: 'Customs' },
      { id: 'new:ship', title: 'Ship' },
    ],
    [{ key: 'carrier', defaultValue: 'Lorry' }],
  );
  const fieldId = await fieldsOf(api, templateId);
  const run = await launchRun(api, templateId);
  t.true(run.byTitle('Customs').hidden);
  const entry = await must(api.call('execution', 'open', { body: { runTaskId: run.byTitle('Ask').runTaskId } }));
  const submit = (key: string, value: string) =>
    api.call('execution', 'submit', {
      body: { executionEntryId: entry.id, runTaskFieldId: fieldId(key), value },
    });
  const variables = async () => (await must(api.call('runs', 'variables', { params: { id: run.id } }))).data;
  t.like((await variables())[0], { key: 'carrier', value: 'Lorry' });

  await must(submit('mode', 'air'));
  const after = await getRun(api, run.id);
  t.false(after.byTitle('Customs').hidden);
  t.deepEqual(after.byTitle('Ask').hiddenFieldIds, [fieldId('port')]);
  t.is(after.byTitle('Ship').assigneeId, ownerUserId);
  t.like((await variables())[0], { key: 'carrier', value: 'Plane' });
  await isRejected(t, submit('port', 'Rotterdam'), 400, [
    'value: "Port" is hidden by a rule; leave it out, or change the values that the rule depends on first',
  ]);

  await must(submit('mode', 'sea'));
  const back = await getRun(api, run.id);
  t.true(back.byTitle('Customs').hidden);
  t.deepEqual(back.byTitle('Ask').hiddenFieldIds, []);
  t.is(back.byTitle('Ship').assigneeId, null);
  t.like((await variables())[0], { key: 'carrier', value: 'Lorry' });
  await isRejected(
    t,
    complete(api, back.byTitle('Customs').runTaskId),
    400,
    'The task "Customs" is hidden by a rule; change the values that the rule depends on first.',
  );
});

test('a launch rejects a value that does not fit the type of its variable', async (t) => {
  const { api } = await newOrganization(app);
  const templateId = await publishDraft(
    api,
    [{ title: 'Ask' }],
    [{ key: 'seats', type: 'NUMBER' }, { key: 'rush', type: 'BOOLEAN' }, { key: 'day', type: 'DATE' }, { key: 'name' }],
  );
  const launch = (variables: Record<string, string | number | boolean | null>) =>
    api.call('runs', 'launch', { body: { templateId, variables } });
  await isRejected(t, launch({ seats: '3', rush: 'yes', day: '1 March', name: 5 }), 400, [
    'variables.seats: must be a number, like 12.5',
    'variables.rush: must be true or false',
    'variables.day: must be a date between the years 1900 and 2999, like "2026-03-01"',
    'variables.name: must be a string',
  ]);
  t.is((await launch({ seats: 3, rush: false, day: '2026-03-01', name: null })).status, 201);
});
