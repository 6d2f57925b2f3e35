import type { Api } from '@runward/testing/api';
import { newOrganization } from '@runward/testing/organization';
import { must } from '@runward/testing/process';
import { useSharedApp } from '@runward/testing/use-shared-app';
import test from 'ava';
import { isRejected } from '../support/expect-rejection.ts';
import { addTask, newTemplate, readTasks, readTemplate } from '../support/templates.ts';

const app = useSharedApp(test);

async function threePhases(api: Api) {
  const id = await newTemplate(api);
  const create = (name: string) => must(api.call('templates.phases', 'create', { params: { id }, body: { name } }));
  return { id, phases: [await create('A'), await create('B'), await create('C')] as const };
}

async function readPhases(api: Api, id: string) {
  return (await must(api.call('templates.phases', 'list', { params: { id } }))).data;
}

test('phases are added at the end and listed in order, in pages', async (t) => {
  const { api } = await newOrganization(app);
  const { id, phases } = await threePhases(api);
  const body = { name: ' Last ', description: 'What remains' };

  const response = await api.call('templates.phases', 'create', { params: { id }, body });

  t.is(response.status, 201);
  t.deepEqual(response.body, {
    id: response.body.id,
    key: null,
    position: 3,
    name: 'Last',
    description: 'What remains',
  });
  t.deepEqual(phases[0], { id: phases[0].id, key: null, position: 0, name: 'A', description: null });
  t.deepEqual(await readPhases(api, id), [...phases, response.body]);
  const list = (query: object) => must(api.call('templates.phases', 'list', { params: { id }, query }));
  const page = await list({ limit: 3 });
  t.like(page, { total: 4, hasMore: true });
  const rest = await list({ limit: 3, cursor: page.nextCursor ?? '' });
  t.deepEqual(rest, { data: [response.body], total: 4, hasMore: false, nextCursor: null });
});

test('an update changes the given properties and the position', async (t) => {
  const { api } = await newOrganization(app);
  const { id, phases } = await threePhases(api);
  const update = (body: object) =>
    api.call('templates.phases', 'update', { params: { id, phaseId: phases[2].id }, body });

  const { status, body } = await update({ position: 0, description: 'First now' });
  t.is(status, 200);
  t.deepEqual(body, { ...phases[2], position: 0, description: 'First now' });
  t.deepEqual(
    (await readPhases(api, id)).map(({ name }) => name),
    ['C', 'A', 'B'],
  );
  t.deepEqual((await update({ name: 'D', description: null, position: 9 })).body, {
    ...phases[2],
    key: 'c',
    name: 'D',
  });

  const before = await readTemplate(api, id);
  t.deepEqual((await update({})).body, { ...phases[2], key: 'c', name: 'D' });
  t.is((await readTemplate(api, id)).updatedAt, before.updatedAt);
});

test('a removed phase leaves its tasks without a phase', async (t) => {
  const { api } = await newOrganization(app);
  const { id, phases } = await threePhases(api);
  const task = await addTask(api, id, { phaseId: phases[0].id });
  const other = await addTask(api, id, { phaseId: phases[1].id });
  const params = { id, phaseId: phases[0].id };

  t.is((await api.call('templates.phases', 'delete', { params })).status, 204);

  t.deepEqual(
    (await readPhases(api, id)).map(({ name, position }) => [name, position]),
    [
      ['B', 0],
      ['C', 1],
    ],
  );
  t.deepEqual(await readTasks(api, id), [{ ...task, phaseId: null }, other]);
  await isRejected(t, api.call('templates.phases', 'delete', { params }), 404, 'Phase not found.');
  await isRejected(t, api.call('templates.phases', 'update', { params, body: {} }), 404, 'Phase not found.');
});

test('invalid input is rejected with the path of the field', async (t) => {
  const { api } = await newOrganization(app);
  const { id, phases } = await threePhases(api);
  for (const [body, message] of [
    [{ name: '' }, ['name: must not be empty']],
    [{ name: 'x'.repeat(256) }, ['name: must be at most 255 characters']],
    [{ name: 'A', description: 3 }, ['description: must be a string']],
    [{ name: 'A', tasks: [] }, ['tasks: unknown parameter; remove it']],
  ] as const) {
    await isRejected(t, api.raw('POST', `/templates/${id}/phases`, { body }), 400, [...message]);
    await isRejected(t, api.raw('PUT', `/templates/${id}/phases/${phases[0].id}`, { body }), 400, [...message]);
  }
  await isRejected(t, api.raw('POST', `/templates/${id}/phases`, { body: {} }), 400, ['name: is required']);
  await isRejected(t, api.raw('PUT', `/templates/${id}/phases/first`, { body: {} }), 400, ['phaseId: must be a UUID']);
  t.deepEqual(await readPhases(api, id), [...phases]);
});
