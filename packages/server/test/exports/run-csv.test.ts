import { newOrganization } from '@runward/testing/organization';
import { launchRun, must } from '@runward/testing/process';
import { useSharedApp } from '@runward/testing/use-shared-app';
import test from 'ava';
import { parse } from 'csv-parse/sync';
import { publishDraft } from '../support/templates.ts';
import { newFileId } from '../support/world/files.ts';

const app = useSharedApp(test);

const headers =
  'runId,publicId,runTaskId,taskTitle,taskStatus,assigneeName,dueAt,taskCompletedAt,taskCompletedByName,executionEntryId,entryStatus,' +
  'entryCreatedAt,entryCompletedAt,runTaskFieldId,fieldKey,fieldLabel,fieldType,value,displayValue,submittedAt,submittedByName';

test('the CSV of a run has a line per field of each entry, with names, and is RFC 4180', async (t) => {
  const { api, baseUrl, apiKey, member } = { ...app, ...(await newOrganization(app)) };
  const grace = await member('Grace "G", Hopper');
  const hides = {
    conditions: [{ source: { type: 'FIELD' as const, fieldId: 'new:done' }, operator: 'EQUALS' as const, value: true }],
    actions: [{ type: 'HIDE' as const, taskIds: ['new:hidden'], fieldIds: ['new:secret'] }],
  };
  const options = [
    { key: 's', label: 'Small' },
    { key: 'm', label: 'Medium' },
  ];
  const templateId = await publishDraft(api, [
    {
      title: 'Survey',
      repeatable: true,
      assigneeId: grace.id,
      rules: [hides],
      fields: [
        { label: 'Note', type: 'LONG_TEXT' },
        { label: 'Balance', type: 'NUMBER' },
        { label: 'Sizes', type: 'MULTI_SELECT', options },
        { label: 'Evidence', type: 'FILE_UPLOAD' },
        { id: 'new:done', label: 'Done', type: 'CHECKBOX' },
        { id: 'new:secret', label: 'Secret', type: 'TEXT' },
      ],
    },
    { id: 'new:hidden', title: 'Hidden' },
    { title: '=Plain' },
  ]);
  const run = await launchRun(api, templateId);
  const survey = run.byTitle('Survey');
  const { data: fields } = await must(api.call('templates', 'publishedFields', { params: { id: templateId } }));
  const fieldId = (label: string) => fields.find((field) => field.label === label)?.runTaskFieldId ?? '';
  const open = async () => (await must(api.call('execution', 'open', { body: { runTaskId: survey.runTaskId } }))).id;
  const submit = (executionEntryId: string, label: string, value: string | number | boolean | string[]) =>
    must(api.call('execution', 'submit', { body: { executionEntryId, runTaskFieldId: fieldId(label), value } }));
  const first = await open();
  await submit(first, 'Note', '=HYPERLINK("http://x")\r\nsecond, line');
  await submit(first, 'Balance', -5);
  await submit(first, 'Sizes', ['m', 's']);
  const fileId = await newFileId({ api }, { entry: first, fileField: fieldId('Evidence') });
  const second = await open();
  await submit(second, 'Done', true);

  const response = await fetch(`${baseUrl}/runs/${run.id}/export/csv`, {
    headers: { authorization: `Bearer ${apiKey}` },
  });
  t.is(response.status, 200);
  t.is(response.headers.get('content-type'), 'text/csv; charset=utf-8');
  t.is(response.headers.get('content-disposition'), `attachment; filename="${run.publicId}.csv"`);
  const text = await response.text();
  t.is(text.slice(0, text.indexOf('\r\n')), headers);
  const lines: Record<string, string>[] = parse(text, { columns: true });
  t.deepEqual(
    lines.map(({ taskTitle, executionEntryId, fieldLabel, value, displayValue }) => [
      taskTitle,
      executionEntryId,
      fieldLabel,
      value,
      displayValue,
    ]),
    [
      ['Survey', first, 'Note', `'=HYPERLINK("http://x")\r\nsecond, line`, `'=HYPERLINK("http://x")\r\nsecond, line`],
      ['Survey', first, 'Balance', '-5', '-5'],
      ['Survey', first, 'Sizes', '["m","s"]', 'Medium, Small'],
      ['Survey', first, 'Evidence', `["${fileId}"]`, 'pixel.gif'],
      ['Survey', first, 'Done', '', ''],
      ['Survey', second, 'Note', '', ''],
      ['Survey', second, 'Balance', '', ''],
      ['Survey', second, 'Sizes', '', ''],
      ['Survey', second, 'Evidence', '', ''],
      ['Survey', second, 'Done', 'true', 'Yes'],
      ["'=Plain", '', '', '', ''],
    ],
  );
  t.like(lines[0], { runId: run.id, publicId: run.publicId, assigneeName: 'Grace "G", Hopper', entryStatus: 'OPEN' });
  t.like(lines[0], { fieldKey: 'note', fieldType: 'LONG_TEXT', taskStatus: 'PENDING', taskCompletedAt: '' });
  t.not(lines[0]?.['submittedByName'], '');
  const { data: summaries } = await must(api.call('runs', 'summaries', { params: { id: run.id } }));
  t.is(summaries[0]?.fields.find(({ label }) => label === 'Evidence')?.displayValue, 'pixel.gif');
});

test('the CSV of a run without visible values has a line per task, and is limited to the resource scope', async (t) => {
  const org = await newOrganization(app);
  const templateId = await publishDraft(org.api, [{ title: 'Plain' }]);
  const run = await launchRun(org.api, templateId);
  const path = `/runs/${run.id}/export/csv`;
  const [line, ...rest]: Record<string, string>[] = parse(String((await org.api.raw('GET', path)).body), {
    columns: true,
  });
  t.deepEqual(rest, []);
  t.like(line, { taskTitle: 'Plain', runTaskId: run.tasks[0]?.runTaskId ?? '', fieldLabel: '', assigneeName: '' });

  const other = await publishDraft(org.api, [{ title: 'Other' }]);
  const scope = { resourceMode: 'SELECTED_TEMPLATES', scopedTemplateIds: [other] } as const;
  const restricted = await org.key({ scopes: ['runs:read'], ...scope });
  t.is((await restricted.raw('GET', path)).status, 403);
  t.is((await (await org.key({ scopes: ['runs:write'] })).raw('GET', path)).status, 403);
  t.is((await (await newOrganization(app)).api.raw('GET', path)).status, 404);
});
