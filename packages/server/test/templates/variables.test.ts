import type { Api } from '@runward/testing/api';
import { newOrganization } from '@runward/testing/organization';
import { launchRun, must } from '@runward/testing/process';
import { useSharedApp } from '@runward/testing/use-shared-app';
import test from 'ava';
import { isRejected } from '../support/expect-rejection.ts';
import { addTask, newTemplate, readTemplate } from '../support/templates.ts';

const app = useSharedApp(test);

async function readVariables(api: Api, id: string) {
  return (await must(api.call('templates.variables', 'list', { params: { id } }))).data;
}

test('variables are created with or without a default value and listed in pages', async (t) => {
  const { api } = await newOrganization(app);
  const id = await newTemplate(api);
  const create = (body: { key: string; description?: string; defaultValue?: string | number | boolean | null }) =>
    api.call('templates.variables', 'create', { params: { id }, body });

  const { status, body } = await create({ key: 'plain' });
  t.is(status, 201);
  t.deepEqual(body, {
    id: body.id,
    key: 'plain',
    name: null,
    type: 'TEXT',
    description: null,
    defaultValue: null,
    searchable: false,
    required: false,
    shownToGuests: false,
  });
  const made = [body];
  for (const defaultValue of ['', 'text', 0, -2.5, true, false, null]) {
    const key = `key-${made.length}`;
    const variable = await must(create({ key, description: 'What', defaultValue }));
    const type = typeof defaultValue === 'number' ? 'NUMBER' : typeof defaultValue === 'boolean' ? 'BOOLEAN' : 'TEXT';
    t.deepEqual(variable, {
      id: variable.id,
      key,
      name: null,
      type,
      description: 'What',
      defaultValue,
      searchable: false,
      required: false,
      shownToGuests: false,
    });
    made.push(variable);
  }
  t.deepEqual(await readVariables(api, id), made);
  const list = (query: object) => must(api.call('templates.variables', 'list', { params: { id }, query }));
  const page = await list({ limit: 7 });
  t.like(page, { total: 8, hasMore: true });
  const rest = await list({ limit: 7, cursor: page.nextCursor ?? '' });
  t.deepEqual(rest, { data: made.slice(7), total: 8, hasMore: false, nextCursor: null });
});

test('an update changes the given properties; runs use it after publication', async (t) => {
  const { api } = await newOrganization(app);
  const id = await newTemplate(api);
  await addTask(api, id);
  const body = { key: 'seats', description: 'Chairs', defaultValue: 3 };
  const variable = await must(api.call('templates.variables', 'create', { params: { id }, body }));
  await must(api.call('templates', 'publish', { params: { id } }));
  const published = await readTemplate(api, id);
  const update = (changes: object) =>
    api.call('templates.variables', 'update', { params: { id, variableId: variable.id }, body: changes });
  const launched = async () => {
    const run = await launchRun(api, id);
    return (await must(api.call('runs', 'variables', { params: { id: run.id } }))).data;
  };

  t.deepEqual((await update({})).body, variable);
  t.deepEqual((await update(body)).body, variable);
  t.deepEqual(await readTemplate(api, id), published);

  await isRejected(t, update({ defaultValue: 'four' }), 400, [
    'defaultValue: must be a number, like 12.5, because the type is NUMBER',
  ]);
  const { status, body: changed } = await update({ type: 'TEXT', defaultValue: 'four', key: 'chairs' });
  t.is(status, 200);
  t.deepEqual(changed, { ...variable, type: 'TEXT', defaultValue: 'four', key: 'chairs' });
  t.deepEqual(await readVariables(api, id), [changed]);
  t.deepEqual(await launched(), [{ key: 'seats', value: 3, description: 'Chairs' }]);
  await must(api.call('templates', 'publish', { params: { id } }));
  t.deepEqual(await launched(), [{ key: 'chairs', value: 'four', description: 'Chairs' }]);
  t.deepEqual((await update({ defaultValue: null, description: null })).body, {
    ...changed,
    defaultValue: null,
    description: null,
  });
});

test('a removed variable is no longer listed', async (t) => {
  const { api } = await newOrganization(app);
  const id = await newTemplate(api);
  const { id: variableId } = await must(
    api.call('templates.variables', 'create', { params: { id }, body: { key: 'a' } }),
  );
  const params = { id, variableId };

  t.is((await api.call('templates.variables', 'delete', { params })).status, 204);
  t.deepEqual(await readVariables(api, id), []);
  await isRejected(t, api.call('templates.variables', 'delete', { params }), 404, 'Variable not found.');
  await isRejected(t, api.call('templates.variables', 'update', { params, body: {} }), 404, 'Variable not found.');
});

test('keys are unique, and invalid keys and values are rejected by name', async (t) => {
  const { api } = await newOrganization(app);
  const id = await newTemplate(api);
  const create = (key: string) => must(api.call('templates.variables', 'create', { params: { id }, body: { key } }));
  const made = [await create('a'), await create('A')] as const;
  const form = 'key: must start with a letter and contain at most 64 letters, digits, "_" or "-"';
  for (const [body, message] of [
    [{ key: 'a' }, ['key: the template already has a flow variable "a"; choose another key']],
    [{ key: '' }, [form]],
    [{ key: 'a b' }, [form]],
    [{ key: 'b', defaultValue: [] }, ['defaultValue: must be a string or a number or a boolean or null']],
    [{ key: 'b', defaultValue: 'x'.repeat(10_001) }, ['defaultValue: must be at most 10000 characters']],
    [{ key: 'b', value: 1 }, ['value: unknown parameter; remove it']],
  ] as const) {
    await isRejected(t, api.raw('POST', `/templates/${id}/variables`, { body }), 400, [...message]);
    await isRejected(t, api.raw('PUT', `/templates/${id}/variables/${made[1].id}`, { body }), 400, [...message]);
  }
  await isRejected(t, api.raw('POST', `/templates/${id}/variables`, { body: {} }), 400, ['key: is required']);
  t.deepEqual(await readVariables(api, id), [...made]);
});
