import type { Api } from '@runward/testing/api';
import { newOrganization } from '@runward/testing/organization';
import { must } from '@runward/testing/process';
import { useSharedApp } from '@runward/testing/use-shared-app';
import test from 'ava';
import { isRejected } from '../support/expect-rejection.ts';
import { addTask, newTemplate, readTasks } from '../support/templates.ts';

const app = useSharedApp(test);

/** A template with these tasks; returns its id and theirs by title. */
async function withTasks(api: Api, ...titles: string[]) {
  const id = await newTemplate(api);
  const ids: Record<string, string> = {};
  for (const title of titles) ids[title] = (await addTask(api, id, { title })).id;
  const of = (title: string) => ids[title] ?? '';
  const set = (title: string, ...others: string[]) =>
    api.call('templates.dependencies', 'set', {
      params: { id, taskId: of(title) },
      body: { taskIds: others.map(of) },
    });
  return { id, of, set };
}

test('the dependencies of a task are replaced as a whole and listed', async (t) => {
  const { api } = await newOrganization(app);
  const { id, of, set } = await withTasks(api, 'A', 'B', 'C');
  t.deepEqual((await must(set('C', 'B', 'A'))).dependencies, [of('B'), of('A')]);
  const list = () => must(api.call('templates.dependencies', 'list', { params: { id, taskId: of('C') } }));
  t.deepEqual((await list()).data, [
    { taskId: of('B'), title: 'B' },
    { taskId: of('A'), title: 'A' },
  ]);
  await must(set('C', 'A'));
  t.deepEqual((await list()).data, [{ taskId: of('A'), title: 'A' }]);
  await must(set('C'));
  t.is((await list()).total, 0);
});

test('unknown tasks, the task itself and cycles are rejected with their path', async (t) => {
  const { api } = await newOrganization(app);
  const { id, of, set } = await withTasks(api, 'A', 'B', 'C');
  await must(set('B', 'A'));
  await must(set('C', 'B'));
  await isRejected(t, set('A', 'C'), 400, [
    'taskIds: the tasks wait for each other: "A" -> "C" -> "B" -> "A"; remove one of these dependencies',
  ]);
  const unknown = '01890c3e-5f3a-7cc1-9a56-3d6f1c2b4a70';
  const params = { id, taskId: of('A') };
  await isRejected(
    t,
    api.call('templates.dependencies', 'set', { params, body: { taskIds: [of('A'), unknown] } }),
    400,
    [
      'taskIds[0]: a task cannot depend on itself; remove its own id',
      `taskIds[1]: the template has no task ${unknown}; use the id of one of its tasks`,
    ],
  );
  t.deepEqual((await readTasks(api, id))[0]?.dependencies, []);
});

test('deleting a task removes the dependencies on it', async (t) => {
  const { api } = await newOrganization(app);
  const { id, of, set } = await withTasks(api, 'A', 'B', 'C');
  await must(set('C', 'A', 'B'));
  await must(api.call('templates.tasks', 'delete', { params: { id, taskId: of('A') } }));
  t.deepEqual(
    (await readTasks(api, id)).map(({ dependencies }) => dependencies),
    [[], [of('B')]],
  );
});

test('the dependency tree shows both directions, and each task with its children once', async (t) => {
  const { api } = await newOrganization(app);
  const { id, of, set } = await withTasks(api, 'A', 'B', 'C', 'D', 'E');
  await must(set('B', 'A'));
  await must(set('C', 'A'));
  await must(set('D', 'B', 'C'));
  await must(set('E', 'D'));
  const named = (title: string) => ({ taskId: of(title), title });
  const leaf = (title: string) => ({ ...named(title), dependsOn: [], blocks: [] });
  t.deepEqual(await must(api.call('templates.dependencies', 'tree', { params: { id, taskId: of('D') } })), {
    ...named('D'),
    dependsOn: [
      { ...named('B'), dependsOn: [leaf('A')], blocks: [] },
      { ...named('C'), dependsOn: [{ ...named('A'), repeated: true }], blocks: [] },
    ],
    blocks: [leaf('E')],
  });
});
