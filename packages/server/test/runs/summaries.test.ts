import type { FieldValue } from '@runward/contract';
import { newOrganization } from '@runward/testing/organization';
import { launchRun, must } from '@runward/testing/process';
import { useSharedApp } from '@runward/testing/use-shared-app';
import test from 'ava';
import { publishDraft } from '../support/templates.ts';

const app = useSharedApp(test);

test('summaries have the newest values of visible tasks and fields, as data and as text', async (t) => {
  const { api, ownerUserId, member } = await newOrganization(app, { timeZone: 'Europe/Berlin' });
  const grace = await member('Grace');
  const options = [
    { key: 's', label: 'Small' },
    { key: 'm', label: 'Medium' },
  ];
  const hides = {
    conditions: [{ source: { type: 'FIELD' as const, fieldId: 'new:done' }, operator: 'EQUALS' as const, value: true }],
    actions: [{ type: 'HIDE' as const, taskIds: ['new:hidden'], fieldIds: ['new:secret'] }],
  };
  const templateId = await publishDraft(api, [
    {
      title: 'Form',
      repeatable: true,
      rules: [hides],
      fields: [
        { id: 'new:done', label: 'Done', type: 'CHECKBOX' },
        { label: 'Name', type: 'TEXT' },
        { label: 'Seats', type: 'NUMBER' },
        { label: 'Day', type: 'DATE' },
        { label: 'Start', type: 'DATETIME' },
        { label: 'Size', type: 'DROPDOWN', options },
        { label: 'Sizes', type: 'MULTI_SELECT', options },
        { label: 'Buddy', type: 'USER' },
        { id: 'new:secret', label: 'Secret', type: 'TEXT' },
        { label: 'Never', type: 'TEXT' },
      ],
    },
    { id: 'new:hidden', title: 'Hidden' },
    { title: 'Plain' },
  ]);
  const run = await launchRun(api, templateId);
  const form = run.byTitle('Form');
  const { data: published } = await must(api.call('templates', 'publishedFields', { params: { id: templateId } }));
  const enter = async (values: Record<string, FieldValue>) => {
    const { id } = await must(api.call('execution', 'open', { body: { runTaskId: form.runTaskId } }));
    for (const [label, value] of Object.entries(values)) {
      const runTaskFieldId = published.find((field) => field.label === label)?.runTaskFieldId ?? '';
      await must(api.call('execution', 'submit', { body: { executionEntryId: id, runTaskFieldId, value } }));
    }
  };
  const first = { Name: 'Old', Seats: 2.5, Size: 's', Sizes: ['m', 's'], Buddy: grace.id };
  await enter({ ...first, Day: '2026-03-01', Start: '2026-03-01T09:00:00Z' });
  await enter({ Name: 'New', Size: null, Done: true });

  const { data } = await must(api.call('runs', 'summaries', { params: { id: run.id } }));
  t.deepEqual(
    data.map(({ title, status }) => [title, status]),
    [
      ['Form', 'PENDING'],
      ['Plain', 'PENDING'],
    ],
  );
  t.like(data[0], { runTaskId: form.runTaskId, taskId: form.taskId, completedAt: null, completedByUserId: null });
  t.deepEqual(
    data[0]?.fields.map(({ label, type, value, displayValue }) => [label, type, value, displayValue]),
    [
      ['Done', 'CHECKBOX', true, 'Yes'],
      ['Name', 'TEXT', 'New', 'New'],
      ['Seats', 'NUMBER', 2.5, '2.5'],
      ['Day', 'DATE', '2026-03-01', '1 March 2026'],
      ['Start', 'DATETIME', '2026-03-01T09:00:00Z', '1 March 2026 at 10:00 CET'],
      ['Size', 'DROPDOWN', null, null],
      ['Sizes', 'MULTI_SELECT', ['m', 's'], 'Medium, Small'],
      ['Buddy', 'USER', grace.id, 'Grace'],
      ['Never', 'TEXT', null, null],
    ],
  );
  t.is(data[0]?.fields[0]?.submittedByUserId, ownerUserId);
  t.like(data[0]?.fields.at(-1), { submittedAt: null, submittedByUserId: null });
});
