import { newOrganization } from '@runward/testing/organization';
import { newClient } from '@runward/testing/page-client';
import { getRun, launchRun, must, publishProcess } from '@runward/testing/process';
import { useSharedApp } from '@runward/testing/use-shared-app';
import test from 'ava';
import { formOf, withField } from '../../../support/form-of.ts';

const app = useSharedApp(test);

async function setting() {
  const org = await newOrganization(app);
  const { templateId } = await publishProcess(org.api, [{ title: 'First' }, { title: 'Second' }]);
  const member = newClient(app);
  await member.signIn(org.ownerEmail, org.ownerPassword);
  const launch = async (...titles: string[]) => {
    const ids = [];
    for (const title of titles) ids.push((await launchRun(org.api, templateId, { title })).id);
    return ids;
  };
  const statusOf = async (id: string | undefined) => (await getRun(org.api, id ?? '')).status;
  return { org, templateId, member, launch, statusOf };
}

test('chosen runs are cancelled after a question with their number, and each is reported', async (t) => {
  const { org, member, launch, statusOf } = await setting();
  const [a, b, c, ended] = await launch('A <i>', 'B', 'C', 'Ended');
  await must(org.api.call('runs', 'cancel', { params: { id: ended ?? '' } }));
  const question = await member.get(`/console/runs/bulk?which=chosen&action=cancel&run=${a}&run=${b}&run=${ended}`);
  t.regex(question.html, /<h1>Cancel 2 runs\?<\/h1>[^]*1 of those you chose cannot be changed/);
  t.regex(question.html, /A &lt;i&gt;/);
  const form = formOf(question.html, '/bulk');
  t.is(await statusOf(a), 'RUNNING', 'nothing has changed yet');
  const { status, html } = await member.submit(form.path, form.fields);
  t.is(status, 200);
  t.regex(html, /2 of 2 runs are changed[^]*Cancelled[^]*Cancelled/);
  t.deepEqual([await statusOf(a), await statusOf(b), await statusOf(c)], ['CANCELLED', 'CANCELLED', 'RUNNING']);
});

test('all runs that match are archived, and only those', async (t) => {
  const { org, member, launch } = await setting();
  const [first, second] = await launch('Old 1', 'Old 2', 'Old 3', 'New');
  for (const id of [first, second]) await must(org.api.call('runs', 'cancel', { params: { id: id ?? '' } }));
  const list = await member.get('/console/runs?search=Old');
  t.regex(list.html, /all 3 that match/);
  const { path, fields } = formOf(list.html, '/bulk');
  const query = new URLSearchParams([...withField(fields, 'which', 'all'), ['action', 'archive']]);
  const question = await member.get(`${path}?${query.toString()}`);
  t.regex(question.html, /<h1>Archive 2 runs\?<\/h1>/);
  const form = formOf(question.html, '/bulk');
  t.regex((await member.submit(form.path, form.fields)).html, /2 of 2 runs are changed/);
  const archived = await must(org.api.call('runs', 'list', { query: { archived: 'true' } }));
  t.deepEqual(archived.data.map(({ title }) => title).toSorted(), ['Old 1', 'Old 2']);
});

test('the open tasks of runs are assigned to the chosen member', async (t) => {
  const { org, member, launch } = await setting();
  const grace = await org.member('Grace');
  const [id = ''] = await launch('A');
  const run = await getRun(org.api, id);
  const params = { taskId: run.byTitle('First').runTaskId };
  await must(org.api.call('runs.tasks', 'setStatus', { params, body: { status: 'COMPLETED' } }));
  const form = formOf((await member.get(`/console/runs/bulk?action=assign&run=${id}`)).html, '/bulk');
  t.is((await member.submit(form.path, form.fields)).status, 400, 'no member is chosen');
  const { html } = await member.submit(form.path, withField(form.fields, 'assigneeId', grace.id));
  t.regex(html, /1 of 1 runs are changed[^]*1 task assigned/);
  t.is((await getRun(org.api, id)).byTitle('Second').assigneeId, grace.id);
  t.is((await getRun(org.api, id)).byTitle('First').assigneeId, null);
});

test('runs follow the latest version of their template, and the report says from which and to which', async (t) => {
  const { org, member, launch } = await setting();
  const [old = ''] = await launch('A');
  const { templateId } = await getRun(org.api, old);
  const params = { id: templateId };
  await must(org.api.call('templates.tasks', 'create', { params, body: { title: 'Third' } }));
  await must(org.api.call('templates', 'publish', { params }));
  const [recent = ''] = await launch('B');
  const form = formOf((await member.get(`/console/runs/bulk?action=migrate&run=${old}&run=${recent}`)).html, '/bulk');
  t.is((await getRun(org.api, old)).tasks.length, 2);
  const { html } = await member.submit(form.path, form.fields);
  t.regex(html, /2 of 2 runs are changed/);
  t.regex(html, /Version 1 to 2/);
  t.regex(html, /Already follows version 2/);
  t.is((await getRun(org.api, old)).tasks.length, 3);
});

test('a run that cannot be changed is reported with the reason, and the others are changed', async (t) => {
  const { member, launch, statusOf } = await setting();
  const [a = ''] = await launch('A');
  const form = formOf((await member.get(`/console/runs/bulk?action=assign&run=${a}`)).html, '/bulk');
  const unknown = '00000000-0000-4000-8000-000000000000';
  const { html } = await member.submit(form.path, withField(form.fields, 'assigneeId', unknown));
  t.regex(html, /0 of 1 runs are changed[^]*role="alert"[^]*1 were rejected[^]*assigneeId/);
  t.is(await statusOf(a), 'RUNNING');
});

test('if more runs match than the question stated, it is asked again', async (t) => {
  const { member, launch, statusOf } = await setting();
  await launch('A');
  const form = formOf((await member.get('/console/runs/bulk?which=all&action=cancel')).html, '/bulk');
  const [late] = await launch('B');
  const { html } = await member.submit(form.path, form.fields);
  t.regex(html, /<h1>Cancel 2 runs\?<\/h1>/);
  t.is(await statusOf(late), 'RUNNING');
});

test('more than 200 runs that match are changed in steps, which the question states', async (t) => {
  const { org, templateId, member } = await setting();
  const runs = Array.from({ length: 201 }, (_, index) => ({ templateId, title: `Run ${index}` }));
  await must(org.api.call('runs', 'bulkLaunch', { body: { runs } }));
  const { html } = await member.get('/console/runs/bulk?which=all&action=cancel');
  t.regex(html, /<h1>Cancel 200 runs\?<\/h1>[^]*201 match. At most 200 are changed at once/);
});

test('foreign runs, foreign forms and odd queries change nothing and are no errors of the service', async (t) => {
  const { member } = await setting();
  const other = await setting();
  const [foreign] = await other.launch('Foreign');
  t.is((await member.get(`/console/runs/bulk?action=cancel&run=${foreign}`)).status, 404);
  const [, csrf = ''] = /name="csrf" value="([^"]*)"/.exec((await member.get('/console/runs')).html) ?? [];
  const fields = { action: 'cancel', which: 'chosen', run: foreign ?? '', count: '1' };
  t.is((await member.submit('/console/runs/bulk', { ...fields, csrf })).status, 404);
  t.is((await member.submit('/console/runs/bulk', { ...fields, csrf: 'x' })).status, 403);
  t.is(await other.statusOf(foreign), 'RUNNING');
  for (const query of [
    'bulk',
    'bulk?action=constructor',
    'bulk?action=cancel',
    'bulk?action=cancel&which=all&statuses=COMPLETED',
    'bulk?action=cancel&run=%00&run=x',
    'bulk?action=archive&which=all&templateIds=x',
  ]) {
    t.true((await member.get(`/console/runs/${query}`)).status < 500, query);
  }
  for (const query of [
    'statuses=x',
    'templateIds=%00',
    'createdFrom=32',
    'stalledForDays=-1',
    'sort=__proto__',
    'archived=2',
    'cursor=%ff',
    'search=%F0%9F%92%A9%00',
  ]) {
    const { status, html } = await member.get(`/console/runs?${query}`);
    t.true(status === 400 || status === 200, `${query}: ${status}`);
    t.regex(html, /<h1>/, query);
  }
});
