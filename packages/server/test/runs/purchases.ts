import { filterQuery, type FieldValue, type ValueFilter } from '@runward/contract';
import type { TestOrganization } from '@runward/testing/organization';
import { launchRun, must } from '@runward/testing/process';
import { publishDraft } from '../support/templates.ts';

/** The problem with a filter by a field or flow variable that is not searchable. */
export const notSearchable =
  'not searchable; mark it in its template and publish that, or use one of GET /runs/searchable-fields';

const options = [
  { key: 'RED', label: 'Red' },
  { key: 'red', label: 'Dark red' },
  { key: 'blue', label: 'Blue' },
];

const fields = [
  { label: 'Supplier', type: 'TEXT' as const, searchable: true },
  { label: 'Amount', type: 'NUMBER' as const, searchable: true },
  { id: 'new:day', label: 'Day', type: 'DATE' as const, searchable: true },
  { label: 'Start', type: 'DATETIME' as const, searchable: true },
  { label: 'Urgent', type: 'CHECKBOX' as const, searchable: true },
  { id: 'new:color', label: 'Color', type: 'DROPDOWN' as const, options, searchable: true },
  { label: 'Colors', type: 'MULTI_SELECT' as const, options, searchable: true },
  { label: 'Buyer', type: 'USER' as const, searchable: true },
  { label: 'Note', type: 'TEXT' as const },
];

const hidesDay = {
  conditions: [
    { source: { type: 'FIELD' as const, fieldId: 'new:color' }, operator: 'EQUALS' as const, value: 'blue' },
  ],
  actions: [{ type: 'HIDE' as const, fieldIds: ['new:day'] }],
};

/** A template whose form has a field of every kind, and functions to launch, fill in and find its runs. */
export async function purchases({ api }: TestOrganization) {
  const variables = [
    { key: 'region', type: 'TEXT' as const, searchable: true },
    { key: 'budget', type: 'NUMBER' as const, searchable: true, defaultValue: 10 },
    { key: 'secret', type: 'TEXT' as const },
  ];
  const templateId = await publishDraft(
    api,
    [{ title: 'Order', repeatable: true, fields, rules: [hidesDay] }, { title: 'Last' }],
    variables,
  );
  const { data } = await must(api.call('templates', 'publishedFields', { params: { id: templateId } }));
  const idOf = (label: string) => data.find((field) => field.label === label)?.runTaskFieldId ?? '';
  const submit = async (executionEntryId: string, values: Readonly<Record<string, FieldValue>>) => {
    for (const [label, value] of Object.entries(values)) {
      const body = { executionEntryId, runTaskFieldId: idOf(label), value };
      await must(api.call('execution', 'submit', { body }));
    }
  };
  const order = async (title: string, values: Readonly<Record<string, FieldValue>>, given = {}) => {
    const run = await launchRun(api, templateId, { title, variables: given });
    const { id: entryId } = await must(
      api.call('execution', 'open', { body: { runTaskId: run.byTitle('Order').runTaskId } }),
    );
    await submit(entryId, values);
    return { id: run.id, entryId };
  };
  const find = async (...values: ValueFilter[]) => {
    const query = filterQuery({ values });
    const { data: runs, total } = await must(api.call('runs', 'list', { query }));
    const counts = await must(api.call('runs', 'counts', { query }));
    const preview = await must(api.call('savedViews', 'preview', { body: { filters: { values } } }));
    const tasks = await must(api.call('runs.tasks', 'list', { query }));
    if (total !== runs.length || counts.total !== total || preview.total !== total || tasks.total !== 2 * total)
      throw new Error(`Totals differ: ${[runs.length, total, counts.total, preview.total, tasks.total].join(', ')}.`);
    return runs.map((run) => run.title).toSorted();
  };
  const by = (label: string, operator: ValueFilter['operator'], value?: ValueFilter['value']): ValueFilter => ({
    fieldId: idOf(label),
    operator,
    ...(value !== undefined && { value }),
  });
  return { templateId, idOf, submit, order, find, by };
}
