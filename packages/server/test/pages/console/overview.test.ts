import { randomUUID } from 'node:crypto';
import { newOrganization } from '@runward/testing/organization';
import { newClient } from '@runward/testing/page-client';
import { launchRun, must, publishProcess } from '@runward/testing/process';
import { useSharedApp } from '@runward/testing/use-shared-app';
import test from 'ava';
import { addDeliveries, disableWebhook, failRulesSync, infect, neglect, newWebhook } from '../../support/attention.ts';
import { openForm } from '../../support/files.ts';

const app = useSharedApp(test);

async function administrator() {
  const org = await newOrganization(app);
  const client = newClient(app);
  await client.signIn(org.ownerEmail, org.ownerPassword);
  return { org, client };
}

test('what needs attention is listed with a count and a way to it, and its text is escaped', async (t) => {
  const { org, client } = await administrator();
  const { templateId } = await publishProcess(org.api, [{ title: 'First' }], { name: 'On <b> boarding' });
  const runs = [];
  for (let count = 0; count < 7; count += 1) runs.push(await launchRun(org.api, templateId, { title: 'Late <i>' }));
  const [stalled, ...late] = runs;
  for (const run of late) {
    const params = { taskId: run.byTitle('First').runTaskId };
    await must(org.api.call('runs.tasks', 'setDueDate', { params, body: { dueAt: '2020-01-01T10:00:00Z' } }));
  }
  await neglect(app, stalled?.id ?? '', 8);
  await failRulesSync(app, org, templateId);
  const broken = await newWebhook(org, 'CRM <u>');
  await disableWebhook(app, broken, 'It responded <410>.');
  await newWebhook(org, 'Disabled by a person');
  await addDeliveries(app, org, broken, { count: 1_001 });
  const form = await openForm(app, { org });
  await infect(app, (await must(form.upload('papers', 'harmless', 'virus <s>.pdf'))).id);

  const { status, html } = await client.get('/console');
  t.is(status, 200);
  t.regex(html, /<h1>Overview<\/h1>/);
  const section = (id: string) => new RegExp(`<section aria-labelledby="${id}">[^]*?</section>`).exec(html)?.[0] ?? '';
  const run = (id: string | undefined) => new RegExp(`href="/console/runs/${id}"`);
  t.regex(section('overdue'), /Overdue runs <span class="count">6<[^]*Late &lt;i&gt;[^]*statuses=OVERDUE">Show all 6</);
  t.is([...section('overdue').matchAll(/<li>/g)].length, 5);
  t.regex(section('overdue'), run(late.at(-1)?.id));
  t.regex(section('stalled'), /<span class="count">1</);
  t.regex(section('stalled'), run(stalled?.id));
  t.regex(section('rules'), /<span class="count">1<[^]*On &lt;b&gt; boarding[^]*It broke; migrate the run/);
  t.regex(section('rules'), run(stalled?.id));
  t.regex(section('webhooks'), /<span class="count">1<[^]*CRM &lt;u&gt;[^]*It responded &lt;410&gt;/);
  t.true(section('webhooks').includes(`href="/console/webhooks/${broken}"`));
  t.regex(section('deliveries'), /<span class="count">1,000\+<[^]*\/console\/webhooks\/deliveries\?status=FAILED"/);
  t.regex(section('deliveries'), new RegExp(`href="/console/webhooks/${broken}/deliveries/[0-9a-f-]{36}"`));
  t.regex(section('files'), /<span class="count">1<[^]*virus _s_\.pdf/);
  t.regex(section('files'), run(form.runId));
});

test('an administrator of an organization without such findings reads that nothing needs attention', async (t) => {
  const other = await administrator();
  await disableWebhook(app, await newWebhook(other.org, 'Theirs'), 'It responded 410.');
  const { client } = await administrator();
  const { html } = await client.get('/console');
  t.regex(html, /Nothing needs attention\.[^]*href="\/console\/tasks"[^]*href="\/console\/runs"/);
  t.notRegex(html, /<section/);
  t.regex(html, /<a href="\/console" aria-current="page">Overview/);
});

test('a member who is neither owner nor admin is led to the tasks, and sees no way to the overview', async (t) => {
  const { org } = await administrator();
  const body = { email: `${randomUUID()}@example.com`, name: 'Grace', password: randomUUID() };
  await must((await org.session()).call('users', 'create', { body }));
  const member = newClient(app);
  await member.signIn(body.email, body.password);
  const { status, headers } = await member.get('/console');
  t.deepEqual([status, headers.get('location')], [303, '/console/tasks']);
  t.notRegex((await member.get('/console/tasks')).html, />Overview</);
});
