import { newOrganization } from '@runward/testing/organization';
import { launchRun, must } from '@runward/testing/process';
import { useSharedApp } from '@runward/testing/use-shared-app';
import test from 'ava';
import { publishDraft } from '../../support/templates.ts';

const app = useSharedApp(test);

test('a run that is read again is as it was, and after each change as it is', async (t) => {
  const { api, ownerUserId } = await newOrganization(app);
  const title = 'Grüße "an" alle 🎉';
  const templateId = await publishDraft(api, [
    { id: 'new:greet', title, fields: [{ key: 'name', label: 'Name', type: 'TEXT' }] },
    { title: 'Sign', dependencies: ['new:greet'] },
  ]);
  const { id, byTitle } = await launchRun(api, templateId, { title: 'First' });
  const { runTaskId } = byTitle(title);
  t.deepEqual(byTitle('Sign').blockedBy, [runTaskId]);
  const { data: forms } = await must(api.call('runs', 'summaries', { params: { id } }));
  const value = { runTaskFieldId: forms[0]?.fields[0]?.runTaskFieldId ?? '', value: 'Ada' };
  const params = { id };
  const changes = [
    () => api.call('runs', 'update', { params, body: { title: 'Second' } }),
    () => api.call('runs.tasks', 'setAssignee', { params: { taskId: runTaskId }, body: { assigneeId: ownerUserId } }),
    () => api.call('execution', 'submitForm', { body: { runTaskId, values: [value] } }),
    () => api.call('runs', 'cancel', { params }),
    () => api.call('runs', 'archive', { body: { runIds: [id] } }),
    () => api.call('runs', 'reopen', { params }),
  ];
  for (const change of [null, ...changes]) {
    if (change) await must<unknown>(change());
    const [first, second] = [await api.raw('GET', `/runs/${id}`), await api.raw('GET', `/runs/${id}`)];
    t.is(first.status, 200);
    t.deepEqual(second.body, first.body);
    t.deepEqual(Object.keys(second.body as object), Object.keys(first.body as object));
    // What this reads is presented each time.
    const { tasks, ...run } = await must(api.call('runs', 'get', { params, query: { include: 'fieldValues' } }));
    t.deepEqual(first.body, { ...run, tasks: tasks.map(({ entries: _, ...task }) => task) });
  }
});
