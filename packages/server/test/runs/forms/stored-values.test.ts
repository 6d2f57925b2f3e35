import { filterQuery, type FieldValue, type ValueFilter } from '@runward/contract';
import { newOrganization } from '@runward/testing/organization';
import { getRun, launchRun, must, publishProcess } from '@runward/testing/process';
import { useSharedApp } from '@runward/testing/use-shared-app';
import test from 'ava';
import { openForm } from '../../support/files.ts';

const app = useSharedApp(test);

/** A run with an open form, and a task that a rule shows if the value of the field `key` equals `value`. */
async function formWithRule(key: 'member' | 'moment', value: (ownerUserId: string) => string) {
  const { api, ownerUserId } = await newOrganization(app);
  const fields = [
    { key: 'member', label: 'Member', type: 'USER' as const, searchable: true },
    { key: 'moment', label: 'Moment', type: 'DATETIME' as const, searchable: true },
    { key: 'note', label: 'Note', type: 'TEXT' as const },
  ];
  const process = await publishProcess(api, [{ title: 'Form', fields }, { title: 'Shown' }]);
  const { templateId: id, taskIds } = process;
  const fieldId = process.fields[key]?.id ?? '';
  const body = {
    conditions: [
      { source: { type: 'FIELD' as const, fieldId }, operator: 'EQUALS' as const, value: value(ownerUserId) },
    ],
    actions: [{ type: 'SHOW' as const, taskIds: [taskIds['Shown'] ?? ''] }],
  };
  const rule = await must(
    api.call('templates.rules', 'create', { params: { id, taskId: taskIds['Form'] ?? '' }, body }),
  );
  await must(api.call('templates', 'publish', { params: { id } }));
  const run = await launchRun(api, id);
  const { runTaskId } = run.byTitle('Form');
  const { id: executionEntryId } = await must(api.call('execution', 'open', { body: { runTaskId } }));
  const send = (field: string, sent: FieldValue) =>
    api.call('execution', 'submit', {
      body: { executionEntryId, runTaskFieldId: process.fields[field]?.id ?? '', value: sent },
    });
  return {
    ownerUserId,
    operand: rule.conditions[0]?.value,
    send,
    submit: async (field: string, sent: FieldValue) => {
      await must(send(field, sent));
      const entry = await must(api.call('execution', 'get', { params: { id: executionEntryId } }));
      return entry.fieldValues.find(({ runTaskFieldId }) => runTaskFieldId === process.fields[field]?.id)?.value;
    },
    isShown: async () => !(await getRun(api, run.id)).byTitle('Shown').hidden,
    found: async (filter: Pick<ValueFilter, 'operator' | 'value'>) => {
      const query = filterQuery({ values: [{ fieldId, ...filter }] });
      return (await must(api.call('runs', 'list', { query }))).total;
    },
  };
}

test('an id in upper case is stored, compared and searched like the same id in lower case', async (t) => {
  const form = await formWithRule('member', (id) => id.toUpperCase());
  t.is(form.operand, form.ownerUserId);
  t.false(await form.isShown());
  t.is(await form.submit('member', form.ownerUserId.toUpperCase()), form.ownerUserId);
  t.true(await form.isShown());
  for (const value of [form.ownerUserId, form.ownerUserId.toUpperCase()]) {
    t.is(await form.found({ operator: 'EQUALS', value }), 1);
    t.is(await form.found({ operator: 'IN', value: [value] }), 1);
  }
});

test('a timestamp in another notation is stored in UTC, and any is compared and searched as its moment', async (t) => {
  const form = await formWithRule('moment', () => '2028-02-29T11:00:00+0100');
  t.is(form.operand, '2028-02-29T10:00:00.000Z');
  t.is(await form.submit('moment', '2028-02-29t12:00:00+02'), '2028-02-29T10:00:00.000Z');
  t.true(await form.isShown());
  t.is(await form.submit('moment', '2028-02-29T13:00:00+03:00'), '2028-02-29T13:00:00+03:00');
  t.true(await form.isShown());
  t.is(await form.found({ operator: 'EQUALS', value: '2028-02-29 10:00Z' }), 1);
  t.is(await form.found({ operator: 'AFTER', value: '2028-02-29T10:59:59+0100' }), 1);
  t.is(await form.found({ operator: 'AFTER', value: '2028-02-29T11:00:00+0100' }), 0);
  t.is((await form.send('moment', '2999-12-31T23:00:00-05:00')).status, 400);
});

test('the characters of a text are counted, not their UTF-16 units', async (t) => {
  const form = await formWithRule('member', (id) => id);
  const text = '😀'.repeat(10_000);
  t.is(await form.submit('note', text), text);
  t.is((await form.send('note', `${text}a`)).status, 400);
});

test('files are reordered by their ids in upper case', async (t) => {
  const { api, entryId, field, upload, value } = await openForm(app);
  const [one, two] = [await must(upload('papers', 'one')), await must(upload('papers', 'two'))];
  const body = { executionEntryId: entryId, runTaskFieldId: field('papers') };
  await must(
    api.call('execution', 'submit', { body: { ...body, value: [two.id.toUpperCase(), one.id.toUpperCase()] } }),
  );
  t.deepEqual(await value('papers'), [two.id, one.id]);
  const twice = await api.call('execution', 'submit', { body: { ...body, value: [one.id, one.id.toUpperCase()] } });
  t.is(twice.status, 400);
});
