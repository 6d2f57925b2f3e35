import { addMember } from '@runward/testing/members';
import { newOrganization } from '@runward/testing/organization';
import { fieldsOf, formWith, newClient } from '@runward/testing/page-client';
import { must } from '@runward/testing/process';
import { useSharedApp } from '@runward/testing/use-shared-app';
import test from 'ava';
import { beginTask } from '../../../support/console.ts';

const app = useSharedApp(test);
const name = { key: 'name', label: 'Name', type: 'TEXT', required: true } as const;
const hostile = '"><script>alert(1)</script>';

test('an approver approves or rejects with a comment what was filled in, and others cannot', async (t) => {
  const org = await newOrganization(app);
  const approver = await addMember(app.baseUrl, await org.session(), { name: hostile });
  const sketch = { title: 'Form', fields: [name], approval: { approverIds: [approver.id] } };
  const { member, path, id, run } = await beginTask(app, org, [sketch]);
  const request = async (answer: string) => {
    const { action, fields } = formWith((await member.get(path('Form'))).html, 'Request approval');
    fields.set(id('name'), answer);
    fields.set('action', 'request');
    return member.submit(action, fields);
  };
  t.is((await request('')).status, 400);
  t.is((await request('Ada')).headers.get('location'), `${path('Form')}?notice=requested`);
  const { html } = await member.get(path('Form'));
  t.regex(html, /Waiting for approval[^]*Approvers: &quot;&gt;&lt;script/);
  t.notRegex(html, /<script>|value="approve"|value="complete"/);
  const own = { csrf: fieldsOf(html)['csrf'] ?? '', action: 'approve' };
  t.is((await member.submit(path('Form'), own)).status, 412);
  const { version } = await must(org.api.call('runs', 'get', { params: { id: run.id } }));
  const refused = await member.submit(path('Form'), { ...own, version });
  t.is(refused.status, 403);
  t.regex(refused.html, /role="alert"[^]*You are not an approver/);

  const other = newClient(app);
  await other.signIn(approver.email, approver.password);
  const decide = async (action: string, comment: string) => {
    const { fields } = formWith((await other.get(path('Form'))).html, 'value="approve"');
    fields.set('comment', comment);
    fields.set('action', action);
    return other.submit(path('Form'), fields);
  };
  const mute = await decide('reject', '');
  t.is(mute.status, 400);
  t.regex(mute.html, /must say why the task is rejected/);
  t.is((await decide('reject', hostile)).headers.get('location'), `${path('Form')}?notice=rejected`);
  t.regex((await member.get(path('Form'))).html, /rejected on\s[^<]*: <span class="said">&quot;&gt;&lt;script/);
  t.regex((await request('Ada')).html, /Nothing has changed since the rejection/);
  await request('Ada L.');
  const stale = formWith((await other.get(path('Form'))).html, 'value="approve"').fields;
  const { fields } = formWith((await member.get(path('Form'))).html, 'Save');
  fields.set(id('name'), 'Somebody else');
  await member.submit(path('Form'), fields);
  stale.set('action', 'approve');
  stale.set('comment', 'I have read it');
  const changed = await other.submit(path('Form'), stale);
  t.is(changed.status, 412);
  t.regex(changed.html, /The run was changed meanwhile[^]*I have read it/);
  const lines = 'line\r\n'.repeat(333).trim();
  t.is(
    (await decide('approve', `${lines}${'x'.repeat(330)}`)).headers.get('location'),
    `${path('Form')}?notice=approved`,
  );
  t.regex((await member.get(path('Form'))).html, /value="complete"[^]*Approved\. The task can be completed/);
});

test('an approved form that is sent as it was shown is completed', async (t) => {
  const org = await newOrganization(app);
  const options = ['a', 'b', 'c'].map((key) => ({ key, label: key }));
  const fields = [
    { ...name, required: false },
    { key: 'extras', label: 'Extras', type: 'MULTI_SELECT', options, required: true },
    { key: 'agreed', label: 'Agreed', type: 'CHECKBOX' },
  ] as const;
  const sketch = { title: 'Form', fields, approval: { allowSelfApproval: true } };
  const { member, path, taskId, process, values } = await beginTask(app, org, [sketch, { title: 'Last' }]);
  const body = {
    runTaskId: taskId('Form'),
    values: [{ runTaskFieldId: process.fields['extras']?.id ?? '', value: ['c', 'a'] }],
    complete: false,
  };
  await must(org.api.call('execution', 'submitForm', { body }));
  await must(org.api.call('runs.tasks', 'approve', { params: { taskId: taskId('Form') }, body: {} }));
  const { fields: sent } = formWith((await member.get(path('Form'))).html, 'Complete');
  t.deepEqual(sent.getAll(`f-${process.fields['extras']?.id}`), ['a', 'c']);
  sent.set('action', 'complete');
  t.is((await member.submit(path('Form'), sent)).status, 303);
  t.deepEqual(await values('Form'), { extras: ['c', 'a'] });
  const { status } = await must(org.api.call('runs.tasks', 'get', { params: { taskId: taskId('Form') } }));
  t.is(status, 'COMPLETED');
});

test('a task of a group is taken, released to the group and reassigned by its members', async (t) => {
  const org = await newOrganization(app);
  const session = await org.session();
  const group = await must(session.call('groups', 'create', { body: { name: hostile, memberIds: [org.ownerUserId] } }));
  const outsider = await addMember(app.baseUrl, session, { name: 'Outsider' });
  const { member, path, taskId } = await beginTask(app, org, [{ title: 'Form', assigneeGroupId: group.id }]);
  const press = async (button: string, more: Record<string, string> = {}) => {
    const { fields } = formWith((await member.get(path('Form'))).html, `value="${button}"`);
    for (const [key, value] of Object.entries({ ...more, action: button })) fields.set(key, value);
    return (await member.submit(path('Form'), fields)).headers.get('location');
  };
  const assignee = async () => {
    const { assigneeId, assigneeGroupId } = await must(
      org.api.call('runs.tasks', 'get', { params: { taskId: taskId('Form') } }),
    );
    return assigneeId ?? assigneeGroupId;
  };
  const other = newClient(app);
  await other.signIn(outsider.email, outsider.password);
  const seen = (await other.get(path('Form'))).html;
  t.regex(seen, /Assigned to<\/dt>\s*<dd>&quot;&gt;&lt;script/);
  t.notRegex(seen, /value="take"|value="release"|<script>/);

  t.is(await press('take'), `${path('Form')}?notice=taken`);
  t.is(await assignee(), org.ownerUserId);
  t.is(await press('release'), `${path('Form')}?notice=released`);
  t.is(await assignee(), group.id);
  t.is(await press('reassign', { assignee: `user:${outsider.id}` }), `${path('Form')}?notice=reassigned`);
  t.is(await assignee(), outsider.id);
  t.is(await press('reassign', { assignee: `group:${group.id}` }), `${path('Form')}?notice=reassigned`);
  t.is(await press('reassign', { assignee: 'user:null' }), `${path('Form')}?notice=unassigned`);
  t.is(await assignee(), null);
  t.is(await press('reassign', { assignee: `user:${org.ownerUserId}` }), `${path('Form')}?notice=taken`);
});

test("a task that somebody else has taken meanwhile is not taken, and a released one without a group is nobody's", async (t) => {
  const org = await newOrganization(app);
  const { member, path } = await beginTask(app, org, [{ title: 'Form' }]);
  const worker = await addMember(app.baseUrl, await org.session(), { name: 'First' });
  const first = newClient(app);
  await first.signIn(worker.email, worker.password);
  const take = async (client: typeof member) => formWith((await client.get(path('Form'))).html, 'Take').fields;
  const [theirs, mine] = [await take(first), await take(member)];
  for (const fields of [theirs, mine]) fields.set('action', 'take');
  t.is((await first.submit(path('Form'), theirs)).headers.get('location'), `${path('Form')}?notice=taken`);
  const late = await member.submit(path('Form'), mine);
  t.is(late.status, 412);
  t.regex(late.html, /role="alert"[^]*First has taken the task meanwhile[^]*Assigned to<\/dt>\s*<dd>First/);
  theirs.set('action', 'release');
  t.is((await first.submit(path('Form'), theirs)).headers.get('location'), `${path('Form')}?notice=unassigned`);
});

test('an answer that somebody else has changed is not overwritten before both were seen', async (t) => {
  const org = await newOrganization(app);
  const fields = [name, { key: 'more', label: 'More', type: 'TEXT' }] as const;
  const { member, path, id, values, taskId, process } = await beginTask(app, org, [{ title: 'Form', fields }]);
  const { fields: sent } = formWith((await member.get(path('Form'))).html, 'Complete');
  const value = (key: string, text: string) => ({ runTaskFieldId: process.fields[key]?.id ?? '', value: text });
  const body = {
    runTaskId: taskId('Form'),
    values: [value('name', '<Theirs>'), value('more', 'also')],
    complete: false,
  };
  await must(org.api.call('execution', 'submitForm', { body }));

  sent.set(id('name'), 'Mine');
  sent.set('action', 'search:none');
  const { fields: shown } = formWith((await member.submit(path('Form'), sent)).html, 'Complete');
  shown.set('action', 'complete');
  const conflict = await member.submit(path('Form'), shown);
  t.is(conflict.status, 412);
  t.regex(conflict.html, /was changed meanwhile by Owner, to “&lt;Theirs&gt;”/);
  t.deepEqual(await values('Form'), { name: '<Theirs>', more: 'also' });
  const { fields: again } = formWith(conflict.html, 'Complete');
  t.deepEqual([again.get(id('name')), again.get(id('more'))], ['Mine', 'also']);
  again.set('action', 'complete');
  t.is((await member.submit(path('Form'), again)).status, 303);
  t.deepEqual(await values('Form'), { name: 'Mine', more: 'also' });
});

test('sending the form that completed a task again says that it is completed; other answers can be copied', async (t) => {
  const org = await newOrganization(app);
  const { member, path, id, values } = await beginTask(app, org, [
    { title: 'Form', fields: [name] },
    { title: 'Last' },
  ]);
  const { fields } = formWith((await member.get(path('Form'))).html, 'Complete');
  fields.set(id('name'), 'Ada');
  fields.set('action', 'complete');
  const twice = await Promise.all([member.submit(path('Form'), fields), member.submit(path('Form'), fields)]);
  t.deepEqual([twice[0].status, twice[1].status], [303, 303], 'at once, as by a double click');
  const again = await member.submit(path('Form'), fields);
  t.deepEqual([again.status, again.headers.get('location')], [303, `${path('Form')}?notice=completed`]);
  fields.set(id('name'), 'Grace');
  const other = await member.submit(path('Form'), fields);
  t.is(other.status, 409);
  t.regex(other.html, /Your answers were not saved[^]*Grace/);
  t.deepEqual(await values('Form'), { name: 'Ada' });
});

test('what was entered in a form that was completed, cancelled or removed meanwhile can be copied', async (t) => {
  const org = await newOrganization(app);
  const { member, path, id, run, taskId } = await beginTask(app, org, [
    { title: 'Form', fields: [name] },
    { title: 'Last' },
  ]);
  const { fields } = formWith((await member.get(path('Form'))).html, 'Complete');
  fields.set(id('name'), '<Ada>');
  const params = { taskId: taskId('Form') };
  await must(org.api.call('runs.tasks', 'setStatus', { params, body: { status: 'COMPLETED' } }));
  const late = await member.submit(path('Form'), fields);
  t.is(late.status, 409);
  t.regex(
    late.html,
    /The task is completed\. Your answers were not saved[^]*<dt>Name<\/dt>\s*<dd class="said">&lt;Ada&gt;/,
  );
  await must(org.api.call('runs', 'cancel', { params: { id: run.id } }));
  t.regex((await member.submit(path('Form'), fields)).html, /The run was cancelled[^]*&lt;Ada&gt;/);

  const missing = await member.submit('/console/tasks/01a20d91-fb59-7a23-8666-4ac2bb8ca285', fields);
  t.is(missing.status, 404);
  t.regex(missing.html, /no such task[^]*&lt;Ada&gt;/);
});

test('what was entered by a member who has no access any more can be copied', async (t) => {
  const org = await newOrganization(app);
  const session = await org.session();
  const { path, id } = await beginTask(app, org, [{ title: 'Form', fields: [name] }]);
  const worker = await addMember(app.baseUrl, session);
  const member = newClient(app);
  await member.signIn(worker.email, worker.password);
  const { fields } = formWith((await member.get(path('Form'))).html, 'Complete');
  fields.set(id('name'), '<Ada>');
  fields.set('action', 'save');
  t.is((await member.submit(path('Form'), fields)).status, 303);
  const change = (body: { role: 'VIEWER' } | { resourceMode: 'GRANTED' }) =>
    session.call('users', 'update', { params: { id: worker.id }, body });
  await must(change({ role: 'VIEWER' }));
  const reader = await member.submit(path('Form'), fields);
  t.is(reader.status, 409);
  t.regex(reader.html, /You may only read it\. Your answers were not saved[^]*&lt;Ada&gt;/);
  await must(change({ resourceMode: 'GRANTED' }));
  const late = await member.submit(path('Form'), fields);
  t.is(late.status, 403);
  t.regex(late.html, /You have no access to this task any more\. Nothing was saved[^]*&lt;Ada&gt;/);
});

test('a form that is sent after the session has ended goes on after signing in', async (t) => {
  const org = await newOrganization(app);
  const { member, path, id, values } = await beginTask(app, org, [{ title: 'Form', fields: [name] }]);
  const { fields } = formWith((await member.get(path('Form'))).html, 'Complete');
  fields.set(id('name'), `${hostile}\n€`);
  fields.set('action', 'save');
  member.cookies.delete('flow_session');
  const ended = await member.submit(path('Form'), fields);
  t.is(ended.status, 401);
  t.regex(ended.html, /role="alert"[^]*what you entered is kept/);
  const signIn = formWith(ended.html, 'Password');
  t.is(signIn.action, '/sign-in/resume');
  signIn.fields.set('email', org.ownerEmail);
  signIn.fields.set('password', 'wrong');
  const wrong = formWith((await member.submit(signIn.action, signIn.fields)).html, 'Password');
  wrong.fields.set('password', org.ownerPassword);
  const resumed = await member.submit(wrong.action, wrong.fields);
  t.is(resumed.status, 200);
  t.regex(resumed.html, /<h1>You are signed in again<\/h1>/);
  t.notRegex(resumed.html, /<script>/);
  const last = formWith(resumed.html, 'Continue');
  t.is((await member.submit(last.action, last.fields)).headers.get('location'), `${path('Form')}?notice=saved`);
  t.deepEqual(await values('Form'), { name: `${hostile}\n€` });
});

test('a form with the token of another session is sent again only if the visitor continues', async (t) => {
  const org = await newOrganization(app);
  const { member, path, id, values } = await beginTask(app, org, [{ title: 'Form', fields: [name] }]);
  const { fields } = formWith((await member.get(path('Form'))).html, 'Complete');
  fields.set(id('name'), 'Ada');
  fields.set('csrf', 'x'.repeat(43));
  const outdated = await member.submit(path('Form'), fields);
  t.is(outdated.status, 403);
  t.regex(outdated.html, /nothing was changed yet\. You are signed in as \w/, 'who would send it now');
  t.deepEqual(await values('Form'), {});
  const again = formWith(outdated.html, 'Continue');
  t.is((await member.submit(again.action, again.fields)).status, 303);
  t.deepEqual(await values('Form'), { name: 'Ada' });
  const foreign = await member.submit(path('Form'), again.fields, { 'sec-fetch-site': 'cross-site' });
  t.is(foreign.status, 403);
  t.notRegex(foreign.html, /Continue/);
});

test('a carried form leads to pages of the console only', async (t) => {
  const org = await newOrganization(app);
  const member = newClient(app);
  const form = fieldsOf((await member.get('/sign-in')).html);
  const credentials = { email: org.ownerEmail, password: org.ownerPassword };
  for (const next of ['https://evil.example/', '//evil.example', '/auth/logout', '/p/x']) {
    const client = newClient(app);
    const { csrf = '' } = fieldsOf((await client.get('/sign-in')).html);
    const answer = await client.submit('/sign-in/resume', { ...credentials, csrf, next, 'pending.x': 'y' });
    t.is(answer.status, 303, next);
    t.regex(answer.headers.get('location') ?? '', /^\/(?:console|p\/x)$/);
  }
  const tooLarge = await member.submit('/sign-in/resume', {
    ...credentials,
    ...form,
    'pending.x': 'x'.repeat(6_500_000),
  });
  t.is(tooLarge.status, 413);
});

test('the answers of a task stay on its page after its template was deleted', async (t) => {
  const org = await newOrganization(app);
  const options = [{ key: 'full', label: 'Full time' }];
  const fields = [{ key: 'hours', label: 'Hours', type: 'DROPDOWN', options }] as const;
  const { member, path, id, process, run } = await beginTask(app, org, [{ title: 'Form', fields }]);
  const form = formWith((await member.get(path('Form'))).html, 'Complete');
  form.fields.set(id('hours'), 'full');
  form.fields.set('action', 'complete');
  t.is((await member.submit(form.action, form.fields)).status, 303);
  await must(org.api.call('templates', 'delete', { params: { id: process.templateId } }));
  t.regex((await member.get(`/console/runs/${run.id}`)).html, new RegExp(`href="${path('Form')}"`));
  const { status, html } = await member.get(path('Form'));
  t.is(status, 200);
  t.regex(html, /<dt>Hours<\/dt>\s*<dd>Full time<\/dd>/);
});

test('a task of another organization is not found', async (t) => {
  const [org, foreign] = [await newOrganization(app), await newOrganization(app)];
  const { path } = await beginTask(app, org, [{ title: 'Secret', fields: [name] }]);
  const stranger = newClient(app);
  await stranger.signIn(foreign.ownerEmail, foreign.ownerPassword);
  const { status, html } = await stranger.get(path('Secret'));
  t.is(status, 404);
  t.notRegex(html, /Secret/);
  const csrf = fieldsOf(html)['csrf'] ?? '';
  for (const action of ['save', 'complete', 'take', 'approve', 'remove:x', 'search:x']) {
    t.is((await stranger.submit(path('Secret'), { csrf, action })).status, 404, action);
  }
});
