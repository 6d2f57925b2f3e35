import { newOrganization } from '@runward/testing/organization';
import { launchRun, must } from '@runward/testing/process';
import { useSharedApp } from '@runward/testing/use-shared-app';
import test from 'ava';
import { publishDraft } from '../support/templates.ts';

const app = useSharedApp(test);

test('an explanation names rules by what they read, members by name, and what tasks wait for', async (t) => {
  const { api, member } = await newOrganization(app, { timeZone: 'Europe/Berlin' });
  const grace = await member('Grace');
  const isGrace = {
    source: { type: 'FIELD' as const, fieldId: 'new:buddy' },
    operator: 'EQUALS' as const,
    value: grace.id,
  };
  const templateId = await publishDraft(api, [
    {
      title: 'Ask',
      fields: [
        { id: 'new:buddy', label: 'Buddy', type: 'USER', required: true },
        { label: 'Start', type: 'DATE' },
      ],
      rules: [
        {
          name: 'Introduce',
          conditions: [isGrace],
          actions: [
            { type: 'SHOW', taskIds: ['new:meet'] },
            { type: 'ASSIGN', taskId: 'new:meet', assigneeId: grace.id },
          ],
        },
      ],
    },
    { id: 'new:meet', title: 'Meet', dependencies: ['new:sign'] },
    { id: 'new:sign', title: 'Sign' },
  ]);
  const run = await launchRun(api, templateId);
  const explain = () => must(api.call('runs', 'explain', { params: { id: run.id } }));
  const [ask, meet] = ['Ask', 'Meet'].map((title) => run.byTitle(title).runTaskId);
  const before = await explain();
  t.deepEqual(before.run, {
    status: 'RUNNING',
    completable: false,
    reasons: [
      {
        code: 'REQUIRED_TASKS_OPEN',
        message: 'Required and not completed: "Ask", "Sign".',
        runTaskIds: [ask, run.byTitle('Sign').runTaskId],
      },
    ],
  });
  t.like(before.tasks[1], { runTaskId: meet, title: 'Meet', status: 'BLOCKED', hidden: true });
  t.is(
    before.tasks[1]?.reasons[0]?.message,
    'It is hidden unless shown by the rule "Introduce" of the task "Ask": "Buddy" EQUALS "Grace" does not hold (it is empty).',
  );

  const { id: executionEntryId } = await must(api.call('execution', 'open', { body: { runTaskId: ask ?? '' } }));
  const { data } = await must(api.call('templates', 'publishedFields', { params: { id: templateId } }));
  const runTaskFieldId = data[0]?.runTaskFieldId ?? '';
  await must(api.call('execution', 'submit', { body: { executionEntryId, runTaskFieldId, value: grace.id } }));
  const after = await explain();
  t.deepEqual(
    after.tasks[1]?.reasons.map(({ code, message }) => `${code}: ${message}`),
    [
      'SHOWN_BY_RULE: It is shown by the rule "Introduce" of the task "Ask": "Buddy" EQUALS "Grace" holds (it is "Grace").',
      'BLOCKED: It waits for "Sign".',
      'NOT_OPENED: It is not completed, and its form is not open.',
      'ASSIGNED_BY_RULE: It is assigned to Grace by the rule "Introduce" of the task "Ask": "Buddy" EQUALS "Grace" holds (it is "Grace").',
    ],
  );
  t.like(after.tasks[1]?.reasons.at(-1), { userId: grace.id });
  t.deepEqual(
    after.tasks[0]?.reasons.map(({ code }) => code),
    ['FORM_FILLED_IN'],
  );
});
