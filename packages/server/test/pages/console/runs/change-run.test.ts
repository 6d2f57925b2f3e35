import { newOrganization } from '@runward/testing/organization';
import { newClient } from '@runward/testing/page-client';
import { getRun, launchRun, must, publishProcess } from '@runward/testing/process';
import { useSharedApp } from '@runward/testing/use-shared-app';
import test from 'ava';
import { formOf, withField } from '../../../support/form-of.ts';

const app = useSharedApp(test);

async function setting() {
  const org = await newOrganization(app);
  const process = await publishProcess(org.api, [{ title: 'First' }, { title: 'Second' }]);
  const { First: first = '', Second: second = '' } = process.taskIds;
  const params = { id: process.templateId, taskId: second };
  await must(org.api.call('templates.dependencies', 'set', { params, body: { taskIds: [first] } }));
  const version = await must(org.api.call('templates', 'publish', { params: { id: process.templateId } }));
  const run = await launchRun(org.api, process.templateId, { title: 'Ada' });
  const member = newClient(app);
  await member.signIn(org.ownerEmail, org.ownerPassword);
  const path = `/console/runs/${run.id}`;
  /** Opens the page that asks, and sends its form. */
  const change = async (
    name: string,
    { task = '', fields = {} }: { task?: string; fields?: Record<string, string> } = {},
  ) => {
    const { html } = await member.get(`${path}/change?do=${name}&task=${task}`);
    const form = formOf(html, '/change');
    let sent = form.fields;
    for (const [field, value] of Object.entries({ do: name, ...fields })) sent = withField(sent, field, value);
    const answer = await member.submit(form.path, sent);
    return { ...answer, question: html, location: answer.headers.get('location') };
  };
  const status = async () => (await getRun(org.api, run.id)).status;
  return { org, process, version, run, member, path, change, status };
}

test('a run is renamed, cancelled, archived, unarchived and reopened by forms, and offers only what is possible', async (t) => {
  const { org, run, member, path, change, status } = await setting();
  t.regex((await change('rename', { fields: { title: 'Grace' } })).question, /name="title" value="Ada"/);
  t.is((await getRun(org.api, run.id)).title, 'Grace');
  const open = (await member.get(path)).html;
  t.regex(open, /do=cancel/);
  t.notRegex(open, /do=complete|value="reopen"|value="archive"/, 'required tasks are open');
  const cancelled = await change('cancel');
  t.regex(cancelled.question, /<h1>Cancel “Grace”\?<\/h1>/);
  t.is(cancelled.location, `${path}?notice=cancelled`);
  t.is(await status(), 'CANCELLED');
  const ended = (await member.get(`${path}?notice=cancelled`)).html;
  t.regex(ended, /The run is cancelled[^]*value="reopen"[^]*value="archive"/);
  t.notRegex(ended, /do=cancel|do=rename|\/migrate"/);
  for (const [name, next] of [
    ['archive', 'unarchive'],
    ['unarchive', 'archive'],
    ['reopen', 'cancel'],
  ] as const) {
    const form = formOf((await member.get(path)).html, '/change');
    const answer = await member.submit(form.path, withField(form.fields, 'do', name));
    t.is(answer.status, 303, name);
    t.regex((await member.get(path)).html, new RegExp(`(?:value="|do=)${next}"`), name);
  }
  t.is(await status(), 'RUNNING');
});

test('a blocked task is unblocked after a question, a completed one is reopened, and a run is completed', async (t) => {
  const { org, run, member, path, change, status } = await setting();
  const [first, second] = [run.byTitle('First').runTaskId, run.byTitle('Second').runTaskId];
  const { html } = await member.get(path);
  t.regex(html, /<bdi>Second<\/bdi>[^]*class="why">[^<]*First/, 'it says what the task waits for');
  t.true(html.includes(`do=unblock&task=${second}`) || html.includes(`do=unblock&amp;task=${second}`));
  const unblocked = await change('unblock', { task: second });
  t.regex(unblocked.question, /Unblock “Second”\?[^]*cannot be undone/);
  t.is(unblocked.location, `${path}?notice=unblocked`);
  t.is((await getRun(org.api, run.id)).byTitle('Second').status, 'PENDING');
  const params = { taskId: first };
  await must(org.api.call('runs.tasks', 'setStatus', { params, body: { status: 'COMPLETED' } }));
  t.is((await change('reopenTask', { task: first })).status, 303);
  t.is((await getRun(org.api, run.id)).byTitle('First').status, 'PENDING');
  t.is(await status(), 'RUNNING');
});

test('a rejected change is a page with the message of the API and the way back, and changes nothing', async (t) => {
  const { member, path, change, status } = await setting();
  const { html, status: code } = await change('complete');
  t.is(code, 400);
  t.regex(html, /This did not work[^]*First[^]*Nothing was changed/);
  t.true(html.includes(`href="${path}"`));
  t.is((await change('rename', { fields: { title: '' } })).status, 400);
  t.is((await change('cancel', { fields: { csrf: 'x' } })).status, 403);
  t.is((await change('cancel', { fields: { do: 'constructor' } })).status, 400);
  t.is((await member.get(`${path}/change?do=__proto__`)).status, 400);
  t.is(await status(), 'RUNNING');
});

test('a run of another organization can be neither asked about nor changed', async (t) => {
  const { member, change } = await setting();
  const other = await setting();
  const [, csrf = ''] = /name="csrf" value="([^"]*)"/.exec((await change('cancel')).question) ?? [];
  t.is((await member.get(`${other.path}/change?do=cancel`)).status, 404);
  t.is((await member.get(`${other.path}/migrate`)).status, 404);
  t.is((await member.submit(`${other.path}/change`, { csrf, do: 'cancel' })).status, 404);
  t.is((await member.submit(`${other.path}/migrate`, { csrf, to: other.version.id })).status, 404);
  t.is(await other.status(), 'RUNNING');
});

test('a migration shows what it would change, and changes it after the form', async (t) => {
  const { org, process, run, member, path } = await setting();
  const params = { id: process.templateId };
  await must(org.api.call('templates.tasks', 'create', { params, body: { title: 'Third <b>' } }));
  const version = await must(org.api.call('templates', 'publish', { params, body: { note: 'Adds <b>' } }));
  const choice = await member.get(`${path}/migrate`);
  t.regex(choice.html, /Version 3, [^<]*Adds &lt;b&gt;/);
  const { html } = await member.get(`${path}/migrate?to=${version.id}`);
  t.regex(html, /From version 2 to version 3[^]*Tasks that are added: 1[^]*Third &lt;b&gt;[^]*with their values: 2/);
  t.is((await getRun(org.api, run.id)).tasks.length, 2, 'nothing has changed yet');
  const forms = html.slice(html.indexOf('id="preview"'));
  const form = formOf(forms, '/migrate');
  const { headers } = await member.submit(form.path, withField(form.fields, 'to', version.id));
  t.is(headers.get('location'), `${path}?notice=changed`);
  t.is((await getRun(org.api, run.id)).tasks.length, 3);
  t.is((await member.get(`${path}/migrate?to=nonsense`)).status, 400);
});
