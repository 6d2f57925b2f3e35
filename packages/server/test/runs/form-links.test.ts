import type { Api } from '@runward/testing/api';
import { addMember } from '@runward/testing/members';
import { newOrganization, type TestOrganization } from '@runward/testing/organization';
import { newClient } from '@runward/testing/page-client';
import { must } from '@runward/testing/process';
import { useSharedApp } from '@runward/testing/use-shared-app';
import test from 'ava';
import { createLink, formOf, newEmail, newFormTask, openLink, type NewLink } from '../support/form-links.ts';
import { guardedEndpoints } from '../support/sweep/endpoints.ts';

const app = useSharedApp(test);

async function revoke(org: TestOrganization, linkId: string) {
  await must(org.api.call('runs.tasks', 'revokeFormLink', { params: { linkId } }));
}

test('a person without an account opens a link, fills in the form and completes it', async (t) => {
  const { org, taskId, iban } = await newFormTask(app);
  const email = newEmail();
  const { url, ...link } = await must(createLink(org.api, taskId, { email: email.toUpperCase(), name: 'Acme' }));
  t.like(link, { runTaskId: taskId, email, requireCode: false, mailed: false, mailError: null });
  t.regex(url, /\/sign-in\/form\/formlink_[0-9A-Za-z]{43}$/);
  const guest = await must(org.api.call('users', 'get', { params: { id: link.userId } }));
  t.like(guest, { email, name: 'Acme', role: 'GUEST', resourceMode: 'ASSIGNED' });
  const { client, landing, opened, api } = await openLink(app, url);
  t.is(landing.status, 200);
  t.regex(landing.html, /asks <strong[^]*Acme[^]*to fill in a form/);
  t.is(opened.headers.get('location'), `/console/tasks/${taskId}`);
  const page = await client.get(`/console/tasks/${taskId}`);
  t.is(page.status, 200);
  t.regex(page.html, /IBAN/);
  t.notRegex(page.html, /Contract|Price|>Runs<|>Settings<|name="q"/);

  const values = [{ runTaskFieldId: iban, value: 'DE89' }];
  await must(api.call('execution', 'submitForm', { body: { runTaskId: taskId, values } }));
  const { task, entries } = await must(formOf(org.api, taskId));
  t.is(task.status, 'COMPLETED');
  t.is(entries[0]?.createdByUserId, link.userId);
});

test('a session that a link began can do nothing but its task, even if the guest has others', async (t) => {
  const { org, run, taskId, otherId } = await newFormTask(app);
  const email = newEmail();
  const { url } = await must(createLink(org.api, taskId, { email }));
  await must(createLink(org.api, otherId, { email }));
  const { api } = await openLink(app, url);
  t.is((await formOf(api, taskId)).status, 200);
  t.is((await formOf(api, otherId)).status, 403);
  t.is((await api.call('runs', 'get', { params: { id: run.id } })).status, 403);
  const mine = await must(api.call('me.tasks', 'list'));
  t.deepEqual(
    mine.data.map(({ runTaskId }) => runTaskId),
    [taskId],
  );
  t.is((await must(api.call('me.tasks', 'counts'))).total, 1);
  const values = JSON.stringify([{ variable: 'limit', operator: 'IS_NOT_EMPTY' }]);
  for (const list of ['list', 'counts'] as const) {
    const byValue = await api.raw(
      'GET',
      `/me/tasks${list === 'counts' ? '/counts' : ''}?values=${encodeURIComponent(values)}`,
    );
    t.is(byValue.status, 403);
  }
  for (const { endpoint, name, path } of guardedEndpoints) {
    if (endpoint.guests === true || endpoint.access === 'authenticated') continue;
    const { status } = await api.raw(endpoint.method, path, endpoint.method === 'GET' ? {} : { body: {} });
    t.true(status === 403 || status === 402, `${name}: ${status}`);
  }
});

test('a link ends when it is revoked, expires, or the task is given to somebody else, also for an open form', async (t) => {
  const { org, taskId } = await newFormTask(app);
  const email = newEmail();
  const ended = async (url: string, api: Api, path: string) => {
    const status = (await formOf(api, taskId)).status;
    t.true(status === 401 || status === 403, String(status));
    t.is((await newClient(app).get(path)).status, 404);
    t.regex(url, /formlink_/);
  };
  const first = await must(createLink(org.api, taskId, { email }));
  const opened = await openLink(app, first.url);
  t.is((await formOf(opened.api, taskId)).status, 200);
  await revoke(org, first.id);
  await ended(first.url, opened.api, opened.path);

  const second = await must(createLink(org.api, taskId, { email }));
  const again = await openLink(app, second.url);
  t.is((await formOf(again.api, taskId)).status, 200);
  const params = { taskId };
  await must(org.api.call('runs.tasks', 'setAssignee', { params, body: { assigneeId: org.ownerUserId } }));
  await ended(second.url, again.api, again.path);

  const third = await must(createLink(org.api, taskId, { email, expiresInHours: 1 }));
  const last = await openLink(app, third.url);
  const administrator = await org.session();
  await must(administrator.call('users', 'update', { params: { id: third.userId }, body: { role: 'MEMBER' } }));
  await ended(third.url, last.api, last.path);
  const { data } = await must(org.api.call('runs.tasks', 'formLinks', { params }));
  t.deepEqual(
    data.map(({ id }) => id),
    [third.id, second.id, first.id],
  );
  t.truthy(data[2]?.revokedAt);
  t.truthy(data[1]?.lastUsedAt);
});

test('unknown links look like those that ended, and guessing is throttled', async (t) => {
  const client = newClient(app);
  const path = (end: string) => `/sign-in/form/formlink_${end.padEnd(43, 'x')}`;
  const first = await client.get(path('a'));
  t.is(first.status, 404);
  t.regex(first.html, /This link does not work/);
  let status = 404;
  for (let count = 0; count < 40 && status !== 429; count += 1) ({ status } = await client.get(path(`b${count}`)));
  t.is(status, 429);
});

test('a link is for guests only, and wrong input changes nothing', async (t) => {
  const { org, taskId } = await newFormTask(app);
  const other = await newOrganization(app);
  const member = await addMember(app.baseUrl, await org.session());
  const rejected = async (body: object, message: RegExp) => {
    const { status, error } = await createLink(org.api, taskId, body as NewLink);
    t.is(status, 400);
    t.regex(JSON.stringify(error.message), message);
  };
  await rejected({ email: member.email }, /email: of a member who signs in; assign the task to them/);
  await rejected({ email: other.ownerEmail }, /email: already in use/);
  await rejected({ email: 'nobody' }, /email: must be an email address/);
  await rejected({ email: newEmail(), requireCode: true }, /requireCode: the service sends no mail; .*SMTP_URL/);
  await rejected({ email: newEmail(), expiresInHours: 721 }, /expiresInHours: must be a whole number from 1 to 720/);
  t.is((await createLink(other.api, taskId, { email: newEmail() })).status, 404);
  const reader = await org.key({ scopes: ['runs:read'] });
  t.is((await createLink(reader, taskId, { email: newEmail() })).status, 403);
  t.is((await must(org.api.call('runs.tasks', 'formLinks', { params: { taskId } }))).total, 0);
  const { task } = await must(formOf(org.api, taskId));
  t.is(task.assigneeId, null);
  t.is((await must(org.api.call('users', 'list'))).total, 2, 'no guest was added');
});
