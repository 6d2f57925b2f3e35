import { fieldTypes } from '@runward/contract';
import type { Api } from '@runward/testing/api';
import { newOrganization } from '@runward/testing/organization';
import { must } from '@runward/testing/process';
import { useSharedApp } from '@runward/testing/use-shared-app';
import test from 'ava';
import { isRejected } from '../support/expect-rejection.ts';
import { addTask, newTemplate, readTasks, readTemplate } from '../support/templates.ts';

const app = useSharedApp(test);

/** A draft with a task A that has the fields a, b and c, and a task B without fields. */
async function threeFields(api: Api) {
  const id = await newTemplate(api);
  const a = { id, taskId: (await addTask(api, id, { title: 'A' })).id };
  const b = { id, taskId: (await addTask(api, id, { title: 'B' })).id };
  const create = (label: string) =>
    must(api.call('templates.fields', 'create', { params: a, body: { label, type: 'TEXT' } }));
  return { id, a, b, fields: [await create('a'), await create('b'), await create('c')] as const };
}

async function keysByTask(api: Api, id: string) {
  return (await readTasks(api, id)).map(({ fields }) => fields.map(({ key }) => key).join(' '));
}

test('a new field is added at the end of its task with the defaults and a key derived from its label', async (t) => {
  const { api } = await newOrganization(app);
  const { id, a, fields } = await threeFields(api);
  const body = { label: ' Größe (cm) ', type: 'NUMBER' as const };

  const response = await api.call('templates.fields', 'create', { params: a, body });

  t.is(response.status, 201);
  t.deepEqual(response.body, {
    id: response.body.id,
    position: 3,
    key: 'grosse_cm',
    label: 'Größe (cm)',
    type: 'NUMBER',
    required: false,
    helpText: null,
    options: [],
    dataSource: null,
    searchable: false,
  });
  t.deepEqual((await readTasks(api, id))[0]?.fields, [...fields, response.body]);
});

test('a field of every type accepts every property', async (t) => {
  const { api } = await newOrganization(app);
  const { id, b } = await threeFields(api);
  const options = [
    { key: 'x', label: 'X' },
    { key: 'y', label: 'Y' },
  ];
  for (const [position, type] of fieldTypes.entries()) {
    const choices = type === 'DROPDOWN' || type === 'MULTI_SELECT' ? { options } : {};
    const searchable = !['FILE_UPLOAD', 'SIGNATURE', 'IMAGE'].includes(type);
    const body = { label: 'Label', type, required: true, key: `key_${type}`, helpText: 'Help', searchable, ...choices };
    const made = await must(api.call('templates.fields', 'create', { params: b, body }));
    t.deepEqual(made, { options: [], dataSource: null, ...body, id: made.id, position });
  }
  t.is((await readTasks(api, id))[1]?.fields.length, fieldTypes.length);
});

test('an update changes the given properties and the position within the task', async (t) => {
  const { api } = await newOrganization(app);
  const { id, a, fields } = await threeFields(api);
  const update = (index: 0 | 1 | 2, body: object) =>
    api.call('templates.fields', 'update', { params: { ...a, fieldId: fields[index].id }, body });

  const { status, body } = await update(2, { position: 0, required: true });
  t.is(status, 200);
  t.deepEqual(body, { ...fields[2], position: 0, required: true });
  t.deepEqual(await keysByTask(api, id), ['c a b', '']);
  t.is((await update(2, { position: 50 })).body.position, 2);

  const options = [{ key: 'x', label: 'X' }];
  const choice = await update(0, { type: 'DROPDOWN', options, label: 'Choice', helpText: 'Help' });
  t.deepEqual(choice.body, { ...fields[0], type: 'DROPDOWN', options, label: 'Choice', helpText: 'Help' });
  const text = await update(0, { type: 'TEXT', label: 'a', helpText: null });
  t.deepEqual(text.body, fields[0]);

  const before = await readTemplate(api, id);
  t.deepEqual((await update(1, {})).body, { ...fields[1], position: 1 });
  t.is((await readTemplate(api, id)).updatedAt, before.updatedAt);
});

test('a field moves to another task, or within its own', async (t) => {
  const { api } = await newOrganization(app);
  const { id, a, b, fields } = await threeFields(api);
  const move = (from: typeof a, index: 0 | 1 | 2, body: { targetTaskId: string; position?: number }) =>
    api.call('templates.fields', 'move', { params: { ...from, fieldId: fields[index].id }, body });

  const moved = await move(a, 1, { targetTaskId: b.taskId });
  t.is(moved.status, 200);
  t.deepEqual(moved.body, { ...fields[1], position: 0 });
  t.deepEqual(await keysByTask(api, id), ['a c', 'b']);
  t.is((await move(a, 2, { targetTaskId: b.taskId, position: 0 })).body.position, 0);
  t.deepEqual(await keysByTask(api, id), ['a', 'c b']);
  t.is((await move(b, 2, { targetTaskId: b.taskId })).body.position, 1);
  t.deepEqual(await keysByTask(api, id), ['a', 'b c']);
  await isRejected(t, move(a, 1, { targetTaskId: a.taskId }), 404, 'Field not found.');
});

test('a removed field is no longer listed', async (t) => {
  const { api } = await newOrganization(app);
  const { id, a, b, fields } = await threeFields(api);
  const params = { ...a, fieldId: fields[0].id };

  await isRejected(t, api.call('templates.fields', 'delete', { params: { ...params, ...b } }), 404, 'Field not found.');
  t.is((await api.call('templates.fields', 'delete', { params })).status, 204);
  t.deepEqual(await keysByTask(api, id), ['b c', '']);
  await isRejected(t, api.call('templates.fields', 'delete', { params }), 404, 'Field not found.');
});

test('keys are unique within the template, and only types with options accept them', async (t) => {
  const { api } = await newOrganization(app);
  const { id, a, b, fields } = await threeFields(api);
  const before = await readTasks(api, id);
  const create = (body: object) => api.raw('POST', `/templates/${id}/tasks/${b.taskId}/fields`, { body });
  const update = (body: object) =>
    api.raw('PUT', `/templates/${id}/tasks/${a.taskId}/fields/${fields[1].id}`, { body });
  const option = { key: 'x', label: 'X' };

  for (const [body, message] of [
    [{ key: 'a' }, 'key: the field "a" already has the key "a"; choose another key'],
    [{ type: 'DROPDOWN' }, 'options: a DROPDOWN field needs at least one option; send [{ "key", "label" }]'],
    [{ options: [option] }, 'options: a TEXT field cannot have options; omit them, or use DROPDOWN or MULTI_SELECT'],
    [{ type: 'DROPDOWN', options: [option, option] }, 'options: must not contain a key twice'],
    [{ type: 'DROPDOWN', options: [{ key: 'x' }] }, 'options[0].label: is required'],
    [{ key: '1st' }, 'key: must start with a letter and contain at most 64 letters, digits, "_" or "-"'],
    [{ label: ' ' }, 'label: must not be empty'],
    [{ type: 'COLOUR' }, `type: must be one of ${fieldTypes.join(', ')}`],
    [{ required: 'yes' }, 'required: must be a boolean'],
  ] as const) {
    await isRejected(t, create({ label: 'New', type: 'TEXT', ...body }), 400, [message]);
    await isRejected(t, update(body), 400, [message]);
  }
  await isRejected(t, create({}), 400, ['label: is required', 'type: is required']);
  await isRejected(t, create({ label: 'New', type: 'DROPDOWN', key: 'a' }), 400, [
    'key: the field "a" already has the key "a"; choose another key',
    'options: a DROPDOWN field needs at least one option; send [{ "key", "label" }]',
  ]);
  t.deepEqual(await readTasks(api, id), before);
});
