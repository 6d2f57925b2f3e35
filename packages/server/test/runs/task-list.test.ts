import { randomUUID } from 'node:crypto';
import { newOrganization, type TestOrganization } from '@runward/testing/organization';
import { getRun, launchRun, must, publishProcess } from '@runward/testing/process';
import { useSharedApp } from '@runward/testing/use-shared-app';
import test from 'ava';
import { isRejected } from '../support/expect-rejection.ts';

const app = useSharedApp(test);

/** The titles of the tasks of a list. */
async function titlesOf({ api }: Pick<TestOrganization, 'api'>, query: object): Promise<string[]> {
  return (await must(api.call('runs.tasks', 'list', { query }))).data.map(({ title }) => title);
}

const dueIn = (days: number) => ({ from: 'SCHEDULED_DATE', offset: `P${days}D` }) as const;

/** Two runs of three tasks; titles name the order of their deadlines. */
async function launchTwo(org: TestOrganization) {
  const tasks = [{ title: 'Free' }, { title: 'Later', due: dueIn(3) }, { title: 'Sooner', due: dueIn(1) }];
  const { templateId } = await publishProcess(org.api, tasks);
  const first = await launchRun(org.api, templateId, { scheduledDateLocal: '2090-01-01', title: 'First' });
  const second = await launchRun(org.api, templateId, { scheduledDateLocal: '2090-01-02', title: 'Second' });
  return { templateId, first, second };
}

test('tasks of active runs are listed by deadline, those without one last, in pages with an exact total', async (t) => {
  const org = await newOrganization(app);
  const { first, second, templateId } = await launchTwo(org);
  const done = await launchRun(org.api, templateId);
  await must(org.api.call('runs', 'cancel', { params: { id: done.id } }));

  const all = await must(org.api.call('runs.tasks', 'list'));
  t.is(all.total, 6);
  t.deepEqual(
    all.data.map(({ title, runTitle }) => `${title} of ${runTitle}`),
    ['Sooner of First', 'Sooner of Second', 'Later of First', 'Later of Second', 'Free of First', 'Free of Second'],
  );
  t.deepEqual(all.data[0], {
    ...first.byTitle('Sooner'),
    runId: first.id,
    runTitle: 'First',
    runPublicId: first.publicId,
    runStatus: 'RUNNING',
    templateId,
  });

  const seen: unknown[] = [];
  for (let cursor: string | null | undefined; cursor !== null;) {
    const page = await must(org.api.call('runs.tasks', 'list', { query: { limit: 1, ...(cursor && { cursor }) } }));
    t.is(page.total, 6);
    seen.push(...page.data);
    cursor = page.nextCursor;
  }
  t.deepEqual(seen, all.data);
  t.deepEqual((await titlesOf(org, { runId: done.id })).sort(), ['Free', 'Later', 'Sooner']);
  t.deepEqual(
    (await must(org.api.call('runs.tasks', 'list', { query: { runId: second.id } }))).data,
    all.data.filter((item) => item.runId === second.id),
  );
});

test('tasks are filtered by assignee, status, deadline, template and run', async (t) => {
  const org = await newOrganization(app);
  const { api, ownerUserId } = org;
  const { first, second, templateId } = await launchTwo(org);
  const other = await publishProcess(api, [{ title: 'Other' }]);
  await launchRun(api, other.templateId);
  const session = await org.session();
  const group = await must(session.call('groups', 'create', { body: { name: 'Group', memberIds: [] } }));
  const assign = (taskId: string, body: object) =>
    must(api.call('runs.tasks', 'setAssignee', { params: { taskId }, body }));
  const ada = await org.member('Ada');
  await assign(first.byTitle('Free').runTaskId, { assigneeId: ada.id });
  await assign(first.byTitle('Later').runTaskId, { assigneeId: ownerUserId });
  await assign(second.byTitle('Later').runTaskId, { assigneeGroupId: group.id });
  const params = { taskId: second.byTitle('Sooner').runTaskId };
  await must(api.call('runs.tasks', 'setStatus', { params, body: { status: 'COMPLETED' } }));

  const titles = (query: object) => titlesOf(org, query);
  t.deepEqual(await titles({ assigneeId: ada.id }), ['Free']);
  t.deepEqual(await titles({ assigneeId: 'me' }), ['Later']);
  t.deepEqual(await titlesOf({ api: session }, { assigneeId: 'me' }), ['Later']);
  t.deepEqual(await titles({ assigneeGroupId: group.id }), ['Later']);
  t.deepEqual(await titles({ assigneeId: randomUUID() }), []);
  t.deepEqual(await titles({ status: 'COMPLETED' }), ['Sooner']);
  t.is((await titles({ status: 'COMPLETED,PENDING' })).length, 7);
  const repeated = await api.raw('GET', '/runs/tasks?status=COMPLETED&status=PENDING');
  t.is((repeated.body as { total: number }).total, 7);
  t.deepEqual(await titles({ dueBefore: '2090-01-03T00:00:00Z' }), ['Sooner']);
  t.deepEqual(await titles({ dueAfter: '2090-01-03T00:00:00Z', dueBefore: '2090-01-05T00:00:00Z' }), [
    'Sooner',
    'Later',
  ]);
  t.deepEqual(await titles({ templateId: other.templateId }), ['Other']);
  t.is((await titles({ templateId, runId: first.id })).length, 3);
  for (const query of ['status=DONE', 'assigneeId=you', 'dueAfter=today', 'overdue=1', 'runId=x', 'nope=1']) {
    t.is((await api.raw('GET', `/runs/tasks?${query}`)).status, 400, query);
  }
  await isRejected(t, api.raw('GET', `/runs/tasks?runId=${randomUUID()}`), 404, 'Run not found.');
  await isRejected(t, api.raw('GET', `/runs/tasks?templateId=${randomUUID()}`), 404, 'Template not found.');
});

test('overdue lists the open tasks past their deadline, overdue=false all others', async (t) => {
  const org = await newOrganization(app);
  const { templateId } = await publishProcess(org.api, [{ title: 'Late' }, { title: 'Done' }, { title: 'Free' }]);
  const run = await launchRun(org.api, templateId);
  for (const title of ['Late', 'Done']) {
    const params = { taskId: run.byTitle(title).runTaskId };
    await must(org.api.call('runs.tasks', 'setDueDate', { params, body: { dueAt: '2020-01-01T00:00:00Z' } }));
  }
  const params = { taskId: run.byTitle('Done').runTaskId };
  await must(org.api.call('runs.tasks', 'setStatus', { params, body: { status: 'COMPLETED' } }));

  t.deepEqual(await titlesOf(org, { overdue: true }), ['Late']);
  t.deepEqual(await titlesOf(org, { overdue: false }), ['Done', 'Free']);
  t.is((await getRun(org.api, run.id)).status, 'OVERDUE');
});

test('a restricted key lists the tasks of its templates, and gets a 403 for a template or run that it names', async (t) => {
  const org = await newOrganization(app);
  const inside = await publishProcess(org.api, [{ title: 'Inside' }]);
  const outside = await publishProcess(org.api, [{ title: 'Outside' }]);
  await launchRun(org.api, inside.templateId);
  const foreign = await launchRun(org.api, outside.templateId);
  const resourceScope = {
    resourceMode: 'SELECTED_TEMPLATES',
    scopedTemplateIds: [inside.templateId],
  } as const;
  const api = await org.key({ scopes: ['runs:read'], ...resourceScope });

  t.deepEqual(await titlesOf({ api }, {}), ['Inside']);
  t.is((await api.raw('GET', `/runs/tasks?templateId=${outside.templateId}`)).status, 403);
  t.is((await api.raw('GET', `/runs/tasks?runId=${foreign.id}`)).status, 403);
  t.is((await api.raw('GET', `/runs/tasks/${foreign.byTitle('Outside').runTaskId}`)).status, 403);
  const params = { taskId: foreign.byTitle('Outside').runTaskId };
  t.like(await must(org.api.call('runs.tasks', 'get', { params })), {
    ...foreign.byTitle('Outside'),
    runId: foreign.id,
    templateId: outside.templateId,
  });
});
