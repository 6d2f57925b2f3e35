import { newOrganization } from '@runward/testing/organization';
import { launchRun, must } from '@runward/testing/process';
import { useSharedApp } from '@runward/testing/use-shared-app';
import test from 'ava';
import { isRejected } from '../../support/expect-rejection.ts';
import { publishDraft } from '../../support/templates.ts';

const app = useSharedApp(test);

test('a run that follows another version is shown with the tasks of the version that it had then', async (t) => {
  const { api } = await newOrganization(app);
  const templateId = await publishDraft(api, [{ title: 'Old' }, { title: 'Done' }]);
  const { id, byTitle } = await launchRun(api, templateId);
  const read = (at?: string) =>
    must(api.call('runs', 'get', { params: { id }, query: { include: 'fieldValues', ...(at && { at }) } }));
  const body = { phases: [], tasks: [{ title: 'New' }], variables: [] };
  await must(
    api.call('runs.tasks', 'setStatus', {
      params: { taskId: byTitle('Done').runTaskId },
      body: { status: 'COMPLETED' },
    }),
  );
  const before = await read();
  await must(api.call('templates.draft', 'replace', { params: { id: templateId }, body }));
  await must(api.call('templates', 'publish', { params: { id: templateId }, body: { syncRules: false } }));
  await must(api.call('runs', 'migrateToLatest', { params: { id } }));
  const migrated = await read();
  await must(api.call('runs', 'update', { params: { id }, body: { title: 'Migrated' } }));

  t.deepEqual(await read(before.updatedAt), before);
  t.deepEqual(await read(migrated.updatedAt), migrated);
  t.deepEqual(
    migrated.tasks.map(({ title }) => title),
    ['New', 'Done'],
  );
});

test('a time before the launch is rejected with the first possible one', async (t) => {
  const { api } = await newOrganization(app);
  const { id, createdAt } = await launchRun(api, await publishDraft(api, [{ title: 'Only task' }]));
  const at = (time: string) => api.call('runs', 'get', { params: { id }, query: { at: time } });
  await isRejected(t, at('2020-01-01T00:00:00Z'), 400, [
    `at: is before the launch of the run; send ${createdAt} or a later timestamp`,
  ]);
  t.is((await at(createdAt)).status, 200);
  await isRejected(t, at('yesterday'), 400, [
    'at: must be an ISO 8601 timestamp with a time zone, like 2026-03-01T09:00:00Z',
  ]);
});
