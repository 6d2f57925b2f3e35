import { newOrganization } from '@runward/testing/organization';
import { launchRun, must, publishProcess } from '@runward/testing/process';
import { startReceiver } from '@runward/testing/receiver';
import { useSharedApp } from '@runward/testing/use-shared-app';
import test from 'ava';
import { encodeCursor } from '../../src/paging.ts';
import { isRejected } from '../support/expect-rejection.ts';
import { callOf, examplesOf, send } from '../support/sweep/calls.ts';
import { allEndpoints, needsQuery } from '../support/sweep/endpoints.ts';
import { callerOf, newRunIds, newWorld } from '../support/world/world.ts';

const app = useSharedApp(test);

const wrongCursor = [
  'cursor: must be the nextCursor of an earlier response of this list with the same filters; omit it to start with the first page',
];

const lists = allEndpoints.filter(({ endpoint: { query } }) => query && 'cursor' in query.shape);

test('every list rejects the cursors of other lists', async (t) => {
  await using receiver = await startReceiver();
  const world = await newWorld(app, await newOrganization(app), receiver.url);
  const { run } = await newRunIds(world, world.ids.template);
  await must(world.api.call('runs', 'update', { params: { id: run }, body: { title: 'Renamed' } }));
  const query = { limit: 1 };
  const runs = await must(world.api.call('runs', 'list', { query }));
  const activity = await must(world.api.call('runs', 'activity', { params: { id: run }, query }));
  const foreign = [runs.nextCursor, activity.nextCursor, encodeCursor([world.ids.run]), encodeCursor([1]), 'x'];
  for (const each of lists) {
    const [example = {}] = needsQuery(each) ? examplesOf(each) : [];
    const { params, query } = callOf(each, example, world.ids, world);
    for (const cursor of foreign) {
      if (each.name === 'runs.list' && cursor === runs.nextCursor) continue;
      const call = { params, query: { ...query, cursor: cursor ?? '' }, body: undefined };
      await isRejected(t, send(callerOf(world, each.endpoint), each, call), 400, wrongCursor);
    }
  }
  t.true(lists.length > 15, `${lists.length} lists`);
});

test('a cursor is valid for its path and filters only, and with every page size', async (t) => {
  const { api } = await newOrganization(app);
  const { templateId } = await publishProcess(api);
  for (let count = 0; count < 4; count += 1) await launchRun(api, templateId);
  const { nextCursor } = await must(api.call('runs', 'list', { query: { limit: 1, status: 'RUNNING' } }));
  const next = (query: object) => api.call('runs', 'list', { query: { cursor: nextCursor ?? '', ...query } });

  t.is((await must(next({ status: 'RUNNING' }))).data.length, 3);
  t.is((await must(next({ status: 'RUNNING', limit: 2 }))).data.length, 2);
  await isRejected(t, next({}), 400, wrongCursor);
  await isRejected(t, next({ status: 'OVERDUE' }), 400, wrongCursor);
  await isRejected(t, next({ status: 'RUNNING', templateId }), 400, wrongCursor);

  const [one, other] = (await must(api.call('runs', 'list'))).data.map(({ id }) => id);
  for (const id of [one, other])
    await must(api.call('runs', 'update', { params: { id: id ?? '' }, body: { title: 'A' } }));
  const activity = (id = '', query: object = {}) => api.call('runs', 'activity', { params: { id }, query });
  const cursor = (await must(activity(one, { limit: 1 }))).nextCursor;
  t.is((await must(activity(one, { cursor }))).data.length, 1);
  await isRejected(t, activity(other, { cursor }), 400, wrongCursor);
});

test('a list by name continues after the longest names', async (t) => {
  const api = await (await newOrganization(app)).session();
  // Of all characters, these take the most bytes of a cursor for their length in a name.
  const names = ['一', '丁'].map((last) => '一'.repeat(254) + last);
  for (const name of names) {
    await must(api.call('groups', 'create', { body: { name } }));
    await must(api.call('folders', 'create', { body: { name } }));
  }
  for (const group of ['groups', 'folders'] as const) {
    const first = await must(api.call(group, 'list', { query: { limit: 1 } }));
    t.is(first.nextCursor?.length, 1_089, group);
    const second = await must(api.call(group, 'list', { query: { limit: 1, cursor: first.nextCursor ?? '' } }));
    t.deepEqual(
      [...first.data, ...second.data].map(({ name }) => name),
      names,
    );
    t.false(second.hasMore);
  }
});
