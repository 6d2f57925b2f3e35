import { newOrganization } from '@runward/testing/organization';
import { fieldsOf, formWith, newClient } from '@runward/testing/page-client';
import { must } from '@runward/testing/process';
import { useSharedApp } from '@runward/testing/use-shared-app';
import test from 'ava';
import { beginTask } from '../../../support/console.ts';
import { createLink, newEmail, newFormTask, openLink } from '../../../support/form-links.ts';

const app = useSharedApp(test);
const name = { key: 'name', label: 'Name', type: 'TEXT' } as const;

test('the page of a task lists its links, and revokes one with a button', async (t) => {
  const org = await newOrganization(app);
  const { member, path } = await beginTask(app, org, [{ title: 'Form', fields: [name] }]);
  const email = newEmail();
  t.notRegex((await member.get(path('Form'))).html, /Form links/);
  const make = async (to: string) => {
    const { action, fields } = formWith((await member.get(path('Form'))).html, 'Make the link');
    fields.set('email', to);
    return member.submit(action, fields);
  };
  const made = await make(email);
  t.is(made.status, 201);
  t.notRegex((await member.get(path('Form'))).html, /code that is mailed/, 'the service sends no mail');
  const listed = (await member.get(path('Form'))).html;
  t.regex(listed, new RegExp(`Form links[^]*${email}[^]*Works until[^]*not opened yet[^]*Revoke`));
  const { action, fields } = formWith(listed, 'the link of');
  t.is((await member.submit(action, fields)).headers.get('location'), `${path('Form')}?notice=linkRevoked`);
  const revoked = (await member.get(path('Form'))).html;
  t.regex(revoked, /Revoked <time/);
  t.notRegex(revoked, /the link of/);
  t.is((await member.submit(action, fields)).status, 404);
  const link = /value="http[^"]*(\/sign-in\/form\/[^"]+)"/.exec(made.html)?.[1] ?? '';
  t.is((await newClient(app).get(link)).status, 404);

  const taken = await make(org.ownerEmail);
  t.is(taken.status, 400);
  t.regex(taken.html, new RegExp(`<details open[^]*value="${org.ownerEmail}"`), 'what was typed is not lost');
});

test('an address that cannot get a link is marked, and the forms around it still lead to the task', async (t) => {
  const org = await newOrganization(app);
  const { member, path, id, values } = await beginTask(app, org, [{ title: 'Form', fields: [name] }]);
  const { action, fields } = formWith((await member.get(path('Form'))).html, 'Make the link');
  fields.set('email', 'ada@example');
  const { status, html } = await member.submit(action, fields);
  t.is(status, 400);
  t.regex(html, /href="#link-email">Email address: must be an email address/);
  t.regex(html, /id="link-email-error">Email address: must[^]*id="link-email"[^>]*link-email-error"\s*aria-invalid/);
  const form = formWith(html, 'Complete');
  form.fields.set(id('name'), 'Ada');
  form.fields.set('action', 'save');
  const saved = await member.submit(form.action, form.fields);
  t.is(saved.headers.get('location'), `${path('Form')}?notice=saved`);
  t.deepEqual(await values('Form'), { name: 'Ada' });
});

test('a guest whose session has ended opens the link again in another tab, and goes on with the form', async (t) => {
  const { org, taskId, iban } = await newFormTask(app);
  const { url } = await must(createLink(org.api, taskId, { email: newEmail() }));
  const { client, path } = await openLink(app, url);
  const { action, fields } = formWith((await client.get(`/console/tasks/${taskId}`)).html, 'Complete');
  fields.set(`f-${iban}`, 'DE12');
  fields.set('action', 'save');
  client.cookies.delete('flow_session');
  const ended = await client.submit(action, fields);
  t.is(ended.status, 401);
  t.regex(ended.html, /open the link again in another tab, then continue here/);
  const pending = formWith(ended.html, 'continue');
  pending.fields.set('isSignedIn', 'true');
  t.not((await client.submit(pending.action, pending.fields)).status, 200, 'it was not opened yet');
  await client.submit(path, fieldsOf((await client.get(path)).html));
  const resumed = formWith((await client.submit(pending.action, pending.fields)).html, 'Continue');
  t.is((await client.submit(resumed.action, resumed.fields)).status, 303);
  const { data } = await must(org.api.call('execution', 'entries', { params: { runTaskId: taskId } }));
  t.is(data[0]?.fieldValues[0]?.value, 'DE12');
});

test('members and the guest read why a link ended if the task was assigned to somebody else', async (t) => {
  const org = await newOrganization(app);
  const { member, path } = await beginTask(app, org, [{ title: 'Form', fields: [name] }]);
  const params = { taskId: path('Form').split('/').at(-1) ?? '' };
  const { url } = await must(org.api.call('runs.tasks', 'createFormLink', { params, body: { email: newEmail() } }));
  const { client: guest } = await openLink(app, url);
  await must(org.api.call('runs.tasks', 'setAssignee', { params, body: { assigneeId: org.ownerUserId } }));
  t.regex((await member.get(path('Form'))).html, /Ended, because the task is not assigned to this guest/);
  t.regex((await guest.get(path('Form'))).html, /This form is not assigned to you\. Ask whoever sent you the link\./);
});

test('the page for signing in tells a guest whose link was revoked to open the link again', async (t) => {
  const { org, taskId } = await newFormTask(app);
  const { url, id: linkId } = await must(createLink(org.api, taskId, { email: newEmail() }));
  const { client } = await openLink(app, url);
  await must(org.api.call('runs.tasks', 'revokeFormLink', { params: { linkId } }));
  const signIn = (await client.get(`/console/tasks/${taskId}`)).headers.get('location') ?? '';
  t.regex((await client.get(signIn)).html, /If you came by a link to a form, open the link again\./);
  t.notRegex((await client.get('/sign-in')).html, /open the link again/);
});
