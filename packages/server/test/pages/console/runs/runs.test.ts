import { newOrganization } from '@runward/testing/organization';
import { newClient } from '@runward/testing/page-client';
import { launchRun, must, publishProcess } from '@runward/testing/process';
import { useSharedApp } from '@runward/testing/use-shared-app';
import test from 'ava';

const app = useSharedApp(test);

async function setting() {
  const org = await newOrganization(app);
  const process = await publishProcess(org.api, [{ title: 'First' }, { title: 'Second' }], { name: 'Onboarding' });
  const member = newClient(app);
  await member.signIn(org.ownerEmail, org.ownerPassword);
  return { org, process, member };
}

/** The titles of the runs on a page. */
const titlesOf = (html: string) =>
  [...html.matchAll(/<a href="\/console\/runs\/[0-9a-f-]{36}"\s*><bdi>([^<]*)<\/bdi>/g)].map(([, title]) => title);

test('a run in the list has its template, status, owner and times', async (t) => {
  const { org, process, member } = await setting();
  const run = await launchRun(org.api, process.templateId, { title: 'Ada <b>&</b> Co' });
  const params = { taskId: run.byTitle('First').runTaskId };
  await must(org.api.call('runs.tasks', 'setStatus', { params, body: { status: 'COMPLETED' } }));
  const second = { taskId: run.byTitle('Second').runTaskId };
  await must(org.api.call('runs.tasks', 'setDueDate', { params: second, body: { dueAt: '2020-01-01T10:00:00Z' } }));
  const { status, html } = await member.get('/console/runs');
  t.is(status, 200);
  t.regex(html, new RegExp(`Ada &lt;b&gt;&amp;&lt;/b&gt; Co</bdi></a>\\s*<span class="soft">${run.publicId}`));
  t.regex(html, /Onboarding[^]*status overdue">Overdue[^]*Owner[^]*\d{4}/);
  t.regex(html, /All <span class="count">1<[^]*Running <span class="count">0<[^]*Overdue <span class="count">1</);
  t.regex(html, /Times are in UTC/);
});

test('every filter has the effect that it has in the API, and remains in the form and in the tabs', async (t) => {
  const { org, process, member } = await setting();
  const { id: other } = await org.member('Grace');
  const folder = await must(org.api.call('folders', 'create', { body: { name: 'Legal' } }));
  const { templateId } = await publishProcess(org.api, undefined, { name: 'Contract', folderId: folder.id });
  await launchRun(org.api, process.templateId, { title: 'Alpha', scheduledDateLocal: '2031-01-01' });
  const beta = await launchRun(org.api, templateId, { title: 'Beta' });
  await must(org.api.call('runs', 'cancel', { params: { id: beta.id } }));
  const gamma = await launchRun(org.api, templateId, { title: 'Gamma', scheduledDateLocal: '2001-01-01' });
  const params = { taskId: gamma.byTitle('Only task').runTaskId };
  await must(org.api.call('runs.tasks', 'setAssignee', { params, body: { assigneeId: other } }));
  const delta = await launchRun(org.api, templateId, { title: 'Delta' });
  await must(org.api.call('runs', 'cancel', { params: { id: delta.id } }));
  await must(org.api.call('runs', 'archive', { body: { runIds: [delta.id] } }));
  const cases: Record<string, string>[] = [
    { search: 'alp' },
    { statuses: 'CANCELLED' },
    { statuses: 'RUNNING,CANCELLED', templateIds: templateId },
    { templateIds: `${templateId},${process.templateId}` },
    { folderIds: folder.id },
    { ownerUserIds: other },
    { ownerUserIds: org.ownerUserId },
    { assigneeIds: other },
    { createdFrom: '2099-01-01' },
    { createdTo: '2099-01-01' },
    { scheduledFrom: '2030-01-01' },
    { scheduledTo: '2010-01-01' },
    { stalledForDays: '1' },
    { stalledForDays: '0' },
    { archived: 'true' },
    { sort: 'title' },
  ];
  for (const filter of cases) {
    const search = new URLSearchParams(filter).toString();
    const expected = await must(org.api.call('runs', 'list', { query: filter }));
    const { html } = await member.get(`/console/runs?assigneeIds=&${search}`);
    t.deepEqual(
      titlesOf(html),
      expected.data.map(({ title }) => title),
      search,
    );
    const [[name, value] = ['', '']] = Object.entries(filter);
    t.regex(html, new RegExp(`name="${name}"[^]*value="${value}"`), search);
    if (name !== 'sort' && expected.total > 0) {
      const [, csv = ''] = /href="(\/runs\/export\/csv[^"]*)"/.exec(html) ?? [];
      const lines = (await member.get(csv.replaceAll('&amp;', '&'))).html.trim().split('\r\n');
      t.is(lines.length - 1, expected.total, search);
    }
  }
});

test('tabs count what the other filters match, and a saved view is a link with its filters', async (t) => {
  const { org, process, member } = await setting();
  for (const title of ['A 1', 'A 2', 'B 1']) await launchRun(org.api, process.templateId, { title });
  const filters = { search: 'A', statuses: ['RUNNING', 'OVERDUE'] as ('RUNNING' | 'OVERDUE')[] };
  await must((await org.session()).call('savedViews', 'create', { body: { name: 'My <view>', filters } }));
  const { html } = await member.get('/console/runs?search=A+&statuses=CANCELLED');
  t.regex(html, /All <span class="count">2<[^]*aria-current="page"[^]*Cancelled <span class="count">0</);
  t.regex(html, /No runs match/);
  const [, view = ''] = /href="([^"]*)"><bdi>My &lt;view&gt;/.exec(html) ?? [];
  t.is(view, '/console/runs?search=A&amp;statuses=RUNNING%2COVERDUE');
  t.deepEqual(titlesOf((await member.get(view.replaceAll('&amp;', '&'))).html), ['A 2', 'A 1']);
});

test('a list of more than 50 runs continues on the next page with the same filters', async (t) => {
  const { org, process, member } = await setting();
  const runs = Array.from({ length: 53 }, (_, index) => ({ templateId: process.templateId, title: `Run ${index}` }));
  await must(org.api.call('runs', 'bulkLaunch', { body: { runs } }));
  const first = await member.get('/console/runs?search=Run&sort=title');
  const [, next = ''] = /href="([^"]*)" rel="next"/.exec(first.html) ?? [];
  const second = await member.get(next.replaceAll('&amp;', '&'));
  t.is(titlesOf(first.html).length, 50);
  t.is(titlesOf(second.html).length, 3);
  t.is(new Set([...titlesOf(first.html), ...titlesOf(second.html)]).size, 53);
  t.notRegex(second.html, /rel="next"/);
});

test('the form is shown again with what is wrong with the filters', async (t) => {
  const { member } = await setting();
  const { status, html } = await member.get('/console/runs?search=Ada&stalledForDays=many&sort=%22%3E');
  t.is(status, 400);
  t.regex(html, /<title>Error: Runs[^]*href="#stalledForDays">No activity for days: must be/);
  t.regex(html, /value="Ada"[^]*id="stalledForDays-error"[^]*value="many"/);
  t.regex((await member.get('/console/runs?cursor=nonsense')).html, /There is a problem[^]*cursor/);
});
