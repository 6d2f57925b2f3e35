import { randomUUID } from 'node:crypto';
import { contract, scopes } from '@runward/contract';
import { newOrganization } from '@runward/testing/organization';
import { launchRun, must, publishProcess } from '@runward/testing/process';
import { useSharedApp } from '@runward/testing/use-shared-app';
import test from 'ava';
import { addDays } from '../support/figures/reference-figures.ts';

const app = useSharedApp(test);

test('a summary without parameters is of the 30 days up to today, and null or 0 without runs', async (t) => {
  const org = await newOrganization(app, { timeZone: 'Pacific/Kiritimati' });
  const today = new Intl.DateTimeFormat('en-CA', { timeZone: 'Pacific/Kiritimati', dateStyle: 'short' });
  const before = today.format(new Date());
  const summary = await must(org.api.call('analytics', 'summary'));
  const { range, perDay } = summary;
  t.true([before, today.format(new Date())].includes(range.to));
  t.is(range.from, addDays(range.to, -29));
  t.is(perDay.length, 30);
  const none = { total: 0, completionRate: null, onTimeRate: null };
  const cycleTimeSeconds = { average: null, median: null, p90: null };
  t.like(summary, { ...none, cycleTimeSeconds, overdueTasks: 0, previous: { ...none, cycleTimeSeconds } });

  const { templateId } = await publishProcess(org.api);
  await launchRun(org.api, templateId);
  const { total, perDay: days } = await must(org.api.call('analytics', 'filtered', { body: {} }));
  t.is(total, 1);
  t.is(
    days.reduce((sum, { started }) => sum + started, 0),
    1,
  );
});

test('a task counts with the title of the latest version that contains it', async (t) => {
  const { api } = await newOrganization(app);
  const { templateId: id, taskIds } = await publishProcess(api, [{ title: 'Old title' }]);
  const run = await launchRun(api, id);
  const runTaskId = run.byTitle('Old title').runTaskId;
  await must(api.call('runs.tasks', 'setStatus', { params: { taskId: runTaskId }, body: { status: 'COMPLETED' } }));
  const taskId = taskIds['Old title'] ?? '';
  await must(api.call('templates.tasks', 'update', { params: { id, taskId }, body: { title: 'New title' } }));
  await must(api.call('templates', 'publish', { params: { id } }));
  const { bottlenecks } = await must(api.call('analytics', 'advanced'));
  t.like(bottlenecks, {
    length: 1,
    0: { taskId, templateId: id, title: 'New title', completedTasks: 1, overdueRate: null },
  });
});

test('a period that ends before it begins, is too long or has impossible dates is rejected', async (t) => {
  const { api } = await newOrganization(app);
  const cases = [
    ['from=2026-03-02&to=2026-03-01', /^to: must not be before from$/],
    ['from=2999-01-01', /^to: must not be before from; it is today, \d{4}-\d\d-\d\d, unless it is given$/],
    ['from=2016-03-01&to=2026-03-01', /^to: must be at most 10 years after from, here before 2026-03-01$/],
    ['from=2026-02-30', /^from: must be a date like 2026-03-01$/],
    ['to=2026-13-01', /^to: must be a date like 2026-03-01$/],
    ['from=1899-12-31&to=1900-01-01', /^from: must be between the years 1900 and 2999$/],
    ['since=2026-01-01', /^since: /],
    ['templateId=1', /^templateId: must be a UUID$/],
  ] as const;
  for (const [query, message] of cases) {
    for (const path of ['', '/advanced', '/export/csv', '/export/pdf'].map((end) => `/runs/analytics${end}`)) {
      const { status, error } = await api.raw('GET', `${path}?${query}`);
      t.is(status, 400, `${path}?${query}`);
      t.regex(String((error.message as string[])[0]), message);
    }
  }
  const longest = await api.raw('GET', '/runs/analytics?from=2016-03-01&to=2026-02-28');
  t.is(longest.status, 200);
  for (const period of ['from=1900-01-01&to=1909-12-31', 'from=2990-01-01&to=2999-12-31', 'to=1900-01-01']) {
    t.is((await api.raw('GET', `/runs/analytics?${period}`)).status, 200, period);
  }
});

test('ids that do not exist are rejected, and templates outside the resource scope are forbidden', async (t) => {
  const org = await newOrganization(app);
  const { templateId } = await publishProcess(org.api);
  const { templateId: other } = await publishProcess(org.api);
  const restricted = await org.key({ scopes, resourceMode: 'SELECTED_TEMPLATES', scopedTemplateIds: [templateId] });
  const unknown = randomUUID();
  for (const name of ['filtered', 'advancedFiltered'] as const) {
    const { status, error } = await org.api.call('analytics', name, {
      body: {
        filters: {
          templateIds: [unknown],
          ownerUserIds: [unknown],
          createdFrom: '2026-02-01',
          createdTo: '2026-01-01',
        },
      },
    });
    t.is(status, 400);
    t.deepEqual(error.message, [
      'filters.templateIds[0]: not a template of this organization; see GET /templates',
      'filters.ownerUserIds[0]: not a member of this organization; see GET /users',
      'filters.createdTo: must not be before createdFrom',
    ]);
    const body = { filters: { templateIds: [templateId, other] } };
    t.is((await restricted.call('analytics', name, { body })).status, 403);
    const path = contract.analytics[name].path;
    t.is((await org.api.raw('POST', path, { body: { filter: {} } })).status, 400);
  }
  for (const name of ['summary', 'advanced', 'exportCsv', 'exportPdf'] as const) {
    t.is((await org.api.call('analytics', name, { query: { templateId: unknown } })).status, 404);
    t.is((await restricted.call('analytics', name, { query: { templateId: other } })).status, 403);
    t.is((await restricted.call('analytics', name, { query: { templateId } })).status, 200);
  }
});
