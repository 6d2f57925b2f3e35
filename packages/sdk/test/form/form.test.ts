import { newOrganization } from '@runward/testing/organization';
import { publishProcess, type TaskSketch } from '@runward/testing/process';
import { useSharedApp } from '@runward/testing/use-shared-app';
import test from 'ava';
import { findTask, isFindError } from '../../src/find/index.ts';
import { findField, loadForm, readValue, refreshForm, visibleFields } from '../../src/form/index.ts';
import { createClient, type Field } from '../../src/index.ts';
import { errorOf } from '../support/client.ts';

const app = useSharedApp(test);

async function newRun(sketch: TaskSketch) {
  const { api, apiKey, ownerEmail, ownerUserId } = await newOrganization(app);
  const runward = createClient({ baseUrl: app.baseUrl, apiKey });
  const { templateId, fields } = await publishProcess(api, [sketch]);
  const { id } = await runward.runs.launch({ templateId });
  const load = async () => {
    const run = await runward.runs.get(id);
    return loadForm(runward, findTask(run.tasks, sketch.title));
  };
  return { runward, fields, load, ownerEmail, ownerUserId };
}

const sketch: TaskSketch = {
  title: 'Sign',
  description: 'Ask for the contract.',
  repeatable: true,
  fields: [
    { key: 'place', label: 'Place of signature', type: 'TEXT' },
    { key: 'copies', label: 'Copies', type: 'NUMBER' },
  ],
};

test('a form has the values of its open entry, else the newest completed one, and is refreshed', async (t) => {
  const { runward, fields, load } = await newRun(sketch);
  const unopened = await load();
  t.like(unopened, { description: 'Ask for the contract.', entry: null, completed: null });
  t.deepEqual([...unopened.values], []);
  const { runTaskId } = unopened.task;
  const placeId = fields['place']?.id ?? '';
  const values = [{ runTaskFieldId: placeId, value: 'Berlin' }];
  const { entry: first } = await runward.execution.submitForm({ runTaskId, values, complete: false });
  t.is((await load()).values.get(placeId), 'Berlin');

  const changed = { runTaskFieldId: placeId, value: 'Bonn', executionEntryId: first.id };
  await runward.execution.submit(changed);
  const opened = await load();
  const refreshed = await refreshForm(runward, unopened, first.id);
  t.deepEqual([refreshed.values, refreshed.entry], [opened.values, opened.entry]);
  t.is(refreshed.values.get(placeId), 'Bonn');

  await runward.execution.complete({ executionEntryId: first.id });
  const completed = await load();
  t.is(completed.entry, null);
  t.is(completed.completed?.id, first.id);
  t.is(completed.values.size, 0);
});

test('fields that rules can show or hide are known, and those hidden now are not visible', async (t) => {
  const { runward } = await newRun({ title: 'Other' });
  const { id } = await runward.templates.create({ name: 'Parcels' });
  const task = await runward.templates.tasks.create(id, { title: 'Send' });
  const add = (key: string) => runward.templates.fields.create(id, task.id, { key, label: key, type: 'TEXT' });
  const [country, customs] = [await add('country'), await add('customs')];
  await runward.templates.rules.create(id, task.id, {
    conditions: [{ source: { type: 'FIELD', fieldId: country.id }, operator: 'EQUALS', value: 'CH' }],
    actions: [{ type: 'SHOW', fieldIds: [customs.id] }],
  });
  await runward.templates.publish(id);
  const run = await runward.runs.get((await runward.runs.launch({ templateId: id })).id);
  const form = await loadForm(runward, findTask(run.tasks, 'Send'));
  t.deepEqual([...form.conditional], [customs.id]);
  t.deepEqual(
    visibleFields(form).map(({ key }) => key),
    ['country'],
  );
});

test('a field is found by its key, label or id; an unknown or ambiguous name is an error', async (t) => {
  const { load } = await newRun(sketch);
  const form = await load();
  const [place, copies] = form.fields;
  for (const text of ['place', ' Place ', 'place of signature', place?.id.toUpperCase() ?? '']) {
    t.is(findField(form, text), place as Field, text);
  }
  t.throws(() => findField(form, 'copie'), { message: 'No field of "Sign" is named "copie". Did you mean "copies"?' });
  t.throws(() => findField(form, 'x'), {
    message: 'No field of "Sign" is named "x". The fields of "Sign" are: "place", "Place of signature", "copies".',
  });
  const twice = { ...form, fields: [place, { ...copies, label: 'Place of signature' }] as Field[] };
  t.throws(() => findField(twice, 'Place of signature'), { message: /^"Place of signature" fits several fields/ });
});

test('members, rows and options are read by their names; other values stay as they are', async (t) => {
  const options = [{ key: 'rd', label: 'Research' }];
  const { runward, fields, ownerEmail, ownerUserId } = await newRun({
    title: 'Hire',
    fields: [
      { key: 'mentor', label: 'Mentor', type: 'USER' },
      { key: 'teams', label: 'Teams', type: 'MULTI_SELECT', options },
      { key: 'days', label: 'Days', type: 'NUMBER' },
    ],
  });
  const read = (key: string, given: Parameters<typeof readValue>[2]) => readValue(runward, fields[key] as Field, given);
  t.is(await read('mentor', ` ${ownerEmail.toUpperCase()} `), ownerUserId);
  t.is(await read('mentor', ownerUserId), ownerUserId);
  t.is(await read('mentor', ''), null);
  t.true(isFindError(await errorOf(read('mentor', 'nobody'))));
  t.deepEqual(await read('teams', ['research', 'rd', 'sales']), ['rd', 'rd', 'sales']);
  t.deepEqual(await read('teams', 'Research'), ['rd']);
  for (const value of [30, true, null]) t.is(await read('days', value), value);
  t.is(await read('days', '30'), 30);

  const source = await runward.dataSources.create({ name: 'Suppliers', columns: ['Name'] });
  const [column] = source.columns;
  const dataSource = { dataSourceId: source.id, labelColumnId: column?.id ?? '', autoFill: [] };
  const { id } = await runward.templates.create({ name: 'Order' });
  const task = await runward.templates.tasks.create(id, { title: 'Buy' });
  const lookup = { key: 'supplier', label: 'Supplier', type: 'DATA_SOURCE', dataSource } as const;
  const field = await runward.templates.fields.create(id, task.id, lookup);
  await runward.templates.publish(id);
  const row = await runward.dataSources.rows.create(source.id, { cells: { [column?.id ?? '']: 'Acme' } });
  t.is(await readValue(runward, field, ' acme '), row.id);
});
