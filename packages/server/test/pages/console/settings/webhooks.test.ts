import { addMember } from '@runward/testing/members';
import { newOrganization, type TestOrganization } from '@runward/testing/organization';
import { newClient } from '@runward/testing/page-client';
import { must, publishProcess } from '@runward/testing/process';
import { useSharedApp } from '@runward/testing/use-shared-app';
import test from 'ava';
import { formOf, withField } from '../../../support/form-of.ts';

const app = useSharedApp(test);
const hostile = `<b>"'&amp;`;
const shown = '&lt;b&gt;&quot;&#39;&amp;amp;';
/** A loopback URL without a server. */
const url = 'http://127.0.0.1:1/hook';

async function administrator() {
  const org = await newOrganization(app);
  const client = newClient(app);
  await client.signIn(org.ownerEmail, org.ownerPassword);
  /** Opens a page and sends the form whose action ends with a text, with more fields. */
  const send = async (page: string, action: string, more: readonly [string, string][] = []) => {
    const { path, fields } = formOf((await client.get(page)).html, action);
    const given = new Set(more.map(([name]) => name));
    return client.submit(path, [...fields.filter(([name]) => !given.has(name)), ...more]);
  };
  return { org, client, send };
}

async function newWebhook({ api }: TestOrganization, settings: object = {}) {
  const body = { name: 'Payroll', url, enabledEvents: ['run.started' as const], ...settings };
  return must(api.call('webhooks', 'create', { body }));
}

test('a webhook is created, edited, disabled, enabled and deleted', async (t) => {
  const { org, client, send } = await administrator();
  const { templateId } = await publishProcess(org.api, undefined, { name: `Onboarding ${hostile}` });
  t.regex((await client.get('/console/webhooks')).html, /There is no webhook yet/);
  const created = await send('/console/webhooks/new', '/new', [
    ['name', `Payroll ${hostile}`],
    ['url', url],
    ['description', `Line 1 ${hostile}\r\nLine 2`],
    ['enabledEvents', 'run.started'],
    ['enabledEvents', 'task.overdue'],
    ['templateIds', templateId],
  ]);
  t.is(created.status, 303);
  const location = created.headers.get('location') ?? '';
  const page = await client.get(location);
  t.is(page.status, 200);
  t.true(page.html.includes(`<h1>Payroll ${shown}</h1>`));
  t.true(page.html.includes(`Line 1 ${shown}`));
  t.true(page.html.includes(`Onboarding ${shown}`));
  t.regex(page.html, /The webhook is created[^]*Enabled[^]*run\.started, task\.overdue/);
  const path = location.replace(/\?.*/, '');
  const list = (await client.get('/console/webhooks')).html;
  t.true(list.includes(`Payroll ${shown}`) && list.includes(`Onboarding ${shown}`));

  const edited = await send(`${path}/edit`, '/edit', [['name', 'Ledger']]);
  t.is(edited.headers.get('location'), `${path}?notice=changed`);
  const [webhook] = (await must(org.api.call('webhooks', 'list'))).data;
  t.like(webhook, { name: 'Ledger', enabledEvents: ['run.started', 'task.overdue'], templateIds: [templateId] });
  t.regex(webhook?.description ?? '', /^Line 1 .*\r\nLine 2$/);

  await send(path, '/enabled', [['enabled', 'false']]);
  const disabled = (await client.get(path)).html;
  t.regex(disabled, /class="status disabled"[^]*value="true">\s*Enable[^]*Enable the webhook to send deliveries again/);
  t.regex((await client.get('/console/webhooks')).html, /class="status disabled"/);
  await send(path, '/enabled', [['enabled', 'true']]);
  t.regex((await client.get(path)).html, /class="status enabled"/);

  t.regex((await client.get(`${path}/delete`)).html, /<h1>Delete Ledger\?<\/h1>[^]*deliveries are deleted, too: 0, of/);
  const deleted = await send(`${path}/delete`, '/delete');
  t.is(deleted.headers.get('location'), '/console/webhooks?notice=webhookDeleted');
  t.is((await client.get(path)).status, 404);
});

test('a form that was shown before somebody else changed the webhook changes only what differs from what it showed', async (t) => {
  const { org, client } = await administrator();
  const { id } = await newWebhook(org, { description: 'Line 1\r\nLine 2' });
  const { path, fields } = formOf((await client.get(`/console/webhooks/${id}/edit`)).html, '/edit');
  const params = { id };
  const theirs = { url: `${url}/new`, enabledEvents: ['run.completed' as const], description: 'Theirs' };
  await must(org.api.call('webhooks', 'update', { params, body: theirs }));
  t.is((await client.submit(path, withField(fields, 'ownSecret', 'true'))).status, 303);
  t.like(await must(org.api.call('webhooks', 'get', { params })), { ...theirs, name: 'Payroll', ownSecret: true });
});

test('a webhook that is made ordered in the form is shown as ordered on its page', async (t) => {
  const { org, client, send } = await administrator();
  const { id } = await newWebhook(org);
  const path = `/console/webhooks/${id}`;
  const isOrdered = async () => (await must(org.api.call('webhooks', 'get', { params: { id } }))).ordered;
  t.notRegex((await client.get(path)).html, /One delivery at a time/);
  t.is((await send(`${path}/edit`, '/edit', [['ordered', 'true']])).status, 303);
  t.true(await isOrdered());
  t.regex((await client.get(path)).html, /One delivery at a time, in the order of events\. A failing one blocks/);
  const { path: action, fields } = formOf((await client.get(`${path}/edit`)).html, '/edit');
  t.true(fields.some(([name, value]) => name === 'ordered' && value === 'true'));
  await client.submit(
    action,
    fields.filter(([name]) => name !== 'ordered'),
  );
  t.false(await isOrdered());
});

test('a form with errors is shown again with what was entered, each beside its field', async (t) => {
  const { client, send } = await administrator();
  const { status, html } = await send('/console/webhooks/new', '/new', [
    ['name', 'Bad'],
    ['url', 'ftp://example.com'],
    ['enabledEvents', 'task.overdue'],
    ['templateIds', 'no-id'],
  ]);
  t.is(status, 400);
  t.regex(html, /<title>Error: Create a webhook<\/title>[^]*href="#templateIds"[^]*id="templateIds-error"/);
  t.regex(
    html,
    /value="Bad"[^]*value="ftp:\/\/example.com"[^]*value="task.overdue"\s+checked[^]*value="no-id"\s+checked/,
  );
  const address = await send('/console/webhooks/new', '/new', [
    ['name', 'Bad'],
    ['url', 'ftp://example.com'],
    ['enabledEvents', 'task.overdue'],
  ]);
  t.regex(address.html, /href="#url"[^]*id="url-error"[^]*aria-describedby="url-hint url-error"/);
  t.regex(
    (
      await send('/console/webhooks/new', '/new', [
        ['name', 'X'],
        ['url', url],
      ])
    ).html,
    /id="enabledEvents-error"/,
  );
  t.regex((await client.get('/console/webhooks')).html, /There is no webhook yet/);
});

test('an enabled webhook shows why it cannot be enabled, and that the service has disabled it', async (t) => {
  const { org, client, send } = await administrator();
  const { id } = await newWebhook(org, { enabled: false });
  const reason = `The receiver responded 410 ${hostile}`;
  await app.provision.query(
    `update webhooks set url = 'http://no.invalid/', disabled_reason = $2, disabled_at = '2026-03-01T09:00Z' where id = $1`,
    [id, reason],
  );
  const path = `/console/webhooks/${id}`;
  for (const each of [path, '/console/webhooks']) {
    const { html } = await client.get(each);
    t.regex(html, /Disabled<\/span>\s*since <time datetime="2026-03-01T09:00/, each);
    t.true(html.includes(`410 ${shown}`), each);
  }
  const { status, html } = await send(path, '/enabled', [['enabled', 'true']]);
  t.is(status, 400);
  t.regex(html, /There is a problem[^]*url: must be https/);
});

test('deliveries are filtered by webhook, event, status and time, and a wrong filter is named', async (t) => {
  const { org, client } = await administrator();
  const [one, other] = [await newWebhook(org), await newWebhook(org, { name: `Other ${hostile}`, enabled: false })];
  for (const event of ['run.started', 'task.overdue'] as const) {
    await must(org.api.call('webhooks', 'test', { params: { id: one.id }, body: { event } }));
  }
  await must(org.api.call('webhooks', 'test', { params: { id: other.id } }));
  const all = '/console/webhooks/deliveries';
  const count = async (path: string) =>
    Number(/(\d+) deliver(?:y|ies)<\/p>/.exec((await client.get(path)).html)?.[1] ?? 0);
  t.is(await count(all), 3);
  t.true((await client.get(all)).html.includes(`Other ${shown}`));
  t.is(await count(`${all}?webhookId=${one.id}&event=&status=&from=&to=`), 2);
  t.is(await count(`${all}?event=task.overdue`), 1);
  t.is(await count(`${all}?status=SUCCEEDED`), 0);
  t.is(await count(`${all}?from=2026-01-01T00:00`), 3);
  t.is(await count(`${all}?to=2026-01-01T00:00`), 0);
  t.is(await count(`/console/webhooks/${one.id}?event=run.started`), 1);
  t.regex((await client.get(`${all}?status=SUCCEEDED`)).html, /There are no such deliveries/);
  for (const [query, id] of [
    ['from=%3Cb%3E', 'from'],
    ['event=%3Cb%3E', 'event'],
    ['webhookId=x', 'webhookId'],
  ] as const) {
    const { status, html } = await client.get(`${all}?${query}`);
    t.is(status, 400, query);
    t.regex(html, new RegExp(`<title>Error: [^]*href="#${id}"[^]*id="${id}-error"`), query);
  }
});

test('deliveries have pages of 50 that keep the filters', async (t) => {
  const { org, client } = await administrator();
  const { id } = await newWebhook(org);
  const send = () => must(org.api.call('webhooks', 'test', { params: { id } }));
  await Promise.all(Array.from({ length: 51 }, send));
  const first = (await client.get(`/console/webhooks/${id}?event=run.started`)).html;
  t.is([...first.matchAll(/<tr/g)].length, 51);
  const next = /href="([^"]*cursor=[^"]*)"/.exec(first)?.[1]?.replaceAll('&amp;', '&') ?? '';
  t.regex(next, /event=run.started/);
  t.is([...(await client.get(next)).html.matchAll(/<tr/g)].length, 2);
});

test('a webhook of another organization is a page that says that there is nothing', async (t) => {
  const { client } = await administrator();
  const stranger = await administrator();
  const { id } = await newWebhook(stranger.org);
  const delivery = await must(stranger.org.api.call('webhooks', 'test', { params: { id } }));
  const path = `/console/webhooks/${id}`;
  for (const each of [path, `${path}/edit`, `${path}/delete`, `${path}/replay`, `${path}/deliveries/${delivery.id}`]) {
    const { status, html } = await client.get(each);
    t.is(status, 404, each);
    t.regex(html, /<h1>Not found<\/h1>/, each);
  }
  const csrf = client.cookies.get('flow_csrf') ?? '';
  for (const each of ['edit', 'delete', 'enabled', 'test', 'replay', `deliveries/${delivery.id}/resend`]) {
    const { status } = await client.submit(`${path}/${each}`, { csrf, enabled: 'false' });
    t.is(status, 404, each);
  }
});

test('a form of another session changes nothing', async (t) => {
  const { org, client } = await administrator();
  const { id } = await newWebhook(org);
  const path = `/console/webhooks/${id}`;
  for (const each of ['edit', 'delete', 'enabled', 'test', 'replay']) {
    t.is((await client.submit(`${path}/${each}`, { csrf: 'x', name: 'Forged', enabled: 'false' })).status, 403, each);
  }
  const forged = { csrf: 'x', name: 'Forged', url, enabledEvents: 'run.started' };
  t.is((await client.submit('/console/webhooks/new', forged)).status, 403);
  const { data } = await must(org.api.call('webhooks', 'list'));
  t.deepEqual(
    data.map(({ name, enabled }) => [name, enabled]),
    [['Payroll', true]],
  );
});

test('a member manages webhooks, as the API lets members do, but does not see the signing secret', async (t) => {
  const { org } = await administrator();
  await newWebhook(org);
  const { email, password } = await addMember(app.baseUrl, await org.session());
  const member = newClient(app);
  await member.signIn(email, password);
  const { status, html } = await member.get('/console/webhooks');
  t.is(status, 200);
  t.regex(html, /Payroll/);
  t.notRegex(html, /console\/secret|console\/keys/);
  const secret = await member.get('/console/secret');
  t.is(secret.status, 403);
  t.regex(secret.html, /Only owners and admins/);
});

test('without webhooks in the plan, nothing that sends is offered, and the pages say why', async (t) => {
  const { org, client, send } = await administrator();
  const { id } = await newWebhook(org);
  const delivery = await must(org.api.call('webhooks', 'test', { params: { id } }));
  await org.setPlan('FREE');
  const list = (await client.get('/console/webhooks')).html;
  t.regex(list, /does not include webhooks[^]*class="status paused"/);
  t.notRegex(list, /webhooks\/new/);
  const path = `/console/webhooks/${id}`;
  t.notRegex((await client.get(path)).html, /\/test"|\/replay"/);
  const { html } = await client.get(`${path}/deliveries/${delivery.id}`);
  t.regex(html, /so nothing is sent/);
  t.notRegex(html, /\/resend"/);
  const csrf = client.cookies.get('flow_csrf') ?? '';
  const tried = await client.submit(`${path}/test`, { csrf });
  t.is(tried.status, 402);
  t.regex(tried.html, /There is a problem[^]*FREE plan does not include webhooks/);
  t.regex((await send('/console/webhooks/new', '/new', [['name', 'X']])).html, /FREE plan does not include webhooks/);
});
