import type { FieldType } from '@runward/contract';
import { newOrganization } from '@runward/testing/organization';
import { formWith, newClient } from '@runward/testing/page-client';
import { getRun, launchRun, must } from '@runward/testing/process';
import { useSharedApp } from '@runward/testing/use-shared-app';
import test from 'ava';
import { beginTask } from '../../../support/console.ts';

const app = useSharedApp(test);

const types = {
  text: 'TEXT',
  notes: 'LONG_TEXT',
  amount: 'NUMBER',
  mail: 'EMAIL',
  site: 'URL',
  phone: 'PHONE',
  agreed: 'CHECKBOX',
  day: 'DATE',
  moment: 'DATETIME',
} as const satisfies Record<string, FieldType>;

const options = (...keys: string[]) => keys.map((key) => ({ key, label: `Option ${key}` }));

test('answers of every simple type are saved, shown again and read through the API', async (t) => {
  const org = await newOrganization(app, { timeZone: 'Europe/Berlin' });
  const fields = [
    ...Object.entries(types).map(([key, type]) => ({ key, label: `<b>${key}`, type, helpText: '<i>help</i>' })),
    { key: 'few', label: 'few', type: 'DROPDOWN', options: options('a', 'b') },
    { key: 'many', label: 'many', type: 'DROPDOWN', options: options('a', 'b', 'c', 'd', 'e', 'f') },
    { key: 'several', label: 'several', type: 'MULTI_SELECT', options: options('a', 'b', 'c') },
    { key: 'person', label: 'person', type: 'USER' },
  ] as const;
  const { member, id, path, values } = await beginTask(app, org, [{ title: 'Form', fields }]);
  const { html } = await member.get(path('Form'));
  t.regex(html, /&lt;b&gt;amount[^]*&lt;i&gt;help[^]*For example 12\.5/);
  t.notRegex(html, /<b>|<i>/);

  const { action, fields: sent } = formWith(html, 'Complete');
  const answers = {
    text: '</textarea><script>alert(1)</script>',
    notes: 'one\r\n"two"',
    amount: '12.5',
    mail: 'ada@example.com',
    site: 'https://example.com/?a=1&b=2',
    phone: '+49 30 1234567',
    agreed: 'true',
    day: '2026-03-01',
    moment: '2026-07-01T09:30',
    few: 'b',
    many: 'f',
    person: org.ownerUserId,
  };
  for (const [key, answer] of Object.entries(answers)) sent.set(id(key), answer);
  sent.append(id('several'), 'a');
  sent.append(id('several'), 'c');
  sent.set('action', 'save');
  const saved = await member.submit(action, sent);
  t.is(saved.headers.get('location'), `${path('Form')}?notice=saved`);

  const expected = { ...answers, notes: 'one\n"two"', amount: 12.5, agreed: true, several: ['a', 'c'] };
  t.deepEqual(await values('Form'), { ...expected, moment: '2026-07-01T07:30:00.000Z' });
  const again = await member.get(`${path('Form')}?notice=saved`);
  t.regex(again.html, /Your answers are saved/);
  t.notRegex(again.html, /<script>/);
  const shown = formWith(again.html, 'Complete').fields;
  for (const [key, answer] of Object.entries({ ...answers, notes: 'one\n"two"' }))
    t.is(shown.get(id(key)), answer, key);
  t.deepEqual(shown.getAll(id('several')), ['a', 'c']);
});

test('long texts in any script are saved, sent again after signing in, and not overwritten unseen', async (t) => {
  const org = await newOrganization(app);
  const fields = Array.from({ length: 25 }, (_, index) => {
    return { key: `text${index}`, label: `Text ${index}`, type: 'LONG_TEXT' as const };
  });
  const { member, id, path, values, taskId, process } = await beginTask(app, org, [{ title: 'Form', fields }]);
  const open = async () => formWith((await member.get(path('Form'))).html, 'Complete');
  const text = '\u6587'.repeat(10_000);
  const { action, fields: sent } = await open();
  for (const { key } of fields) sent.set(id(key), text);
  sent.set('action', 'save');
  t.is((await member.submit(action, sent)).status, 303);
  t.is((await values('Form'))['text24'], text);

  const { fields: again } = await open();
  again.set(id('text0'), `${text.slice(1)}!`);
  again.set('action', 'save');
  const theirs = { runTaskFieldId: process.fields['text0']?.id ?? '', value: `Theirs ${text.slice(10)}` };
  const body = { runTaskId: taskId('Form'), values: [theirs], complete: false };
  await must(org.api.call('execution', 'submitForm', { body }));
  const conflict = await member.submit(action, again);
  t.is(conflict.status, 412);
  t.regex(conflict.html, /&quot;Text 0&quot; was changed meanwhile by Owner/);

  const { fields: last } = formWith(conflict.html, 'Complete');
  last.set('action', 'save');
  member.cookies.delete('flow_session');
  const ended = formWith((await member.submit(action, last)).html, 'Password');
  ended.fields.set('email', org.ownerEmail);
  ended.fields.set('password', org.ownerPassword);
  const resumed = formWith((await member.submit(ended.action, ended.fields)).html, 'Continue');
  t.is((await member.submit(resumed.action, resumed.fields)).status, 303);
  t.deepEqual(await values('Form'), {
    ...Object.fromEntries(fields.map(({ key }) => [key, text])),
    text0: `${text.slice(1)}!`,
  });
});

test('a time that clocks skip is refused, and one that they show twice is the earlier', async (t) => {
  const org = await newOrganization(app, { timeZone: 'Europe/Berlin' });
  const fields = [{ key: 'moment', label: 'Moment', type: 'DATETIME' }] as const;
  const { member, id, path, values } = await beginTask(app, org, [{ title: 'Form', fields }]);
  const send = async (answer: string) => {
    const { action, fields: sent } = formWith((await member.get(path('Form'))).html, 'Complete');
    sent.set(id('moment'), answer);
    return member.submit(action, sent);
  };
  const skipped = await send('2026-03-29T02:30');
  t.is(skipped.status, 400);
  t.regex(skipped.html, /&quot;Moment&quot; must be a date with a time that clocks in Europe\/Berlin show/);
  t.is((await send('2026-10-25T02:30')).status, 303);
  t.deepEqual(await values('Form'), { moment: '2026-10-25T00:30:00.000Z' });
});

test('a form with errors is shown again as it was sent, with each error at its field and in the summary', async (t) => {
  const org = await newOrganization(app);
  const fields = [
    { key: 'name', label: 'Name', type: 'TEXT', required: true },
    { key: 'amount', label: 'Amount', type: 'NUMBER' },
    { key: 'mail', label: 'Mail', type: 'EMAIL' },
  ] as const;
  const { member, id, path, values } = await beginTask(app, org, [{ title: 'Form', fields }]);
  const { action, fields: sent } = formWith((await member.get(path('Form'))).html, 'Complete');
  sent.set(id('amount'), '<many> "');
  sent.set(id('mail'), 'nobody');
  sent.set('action', 'complete');
  const missing = await member.submit(action, sent);
  t.is(missing.status, 400);
  t.regex(missing.html, /<title>Error: Form<\/title>/);
  t.regex(missing.html, /role="alert"[^]*There is a problem/);
  t.true(missing.html.includes(`<a href="#${id('name')}">&quot;Name&quot; needs an answer</a>`));

  const { fields: kept } = formWith(missing.html, 'Complete');
  t.is(kept.get(id('amount')), '<many> "');
  kept.set(id('name'), 'Ada');
  kept.set('action', 'complete');
  const invalid = await member.submit(action, kept);
  t.is(invalid.status, 400);
  t.true(invalid.html.includes(`aria-describedby="hint-${id('amount')} problem-${id('amount')}"`));
  t.regex(invalid.html, /&quot;Amount&quot; must be a number[^]*&quot;Mail&quot; must be an email address/);
  const { fields: last } = formWith(invalid.html, 'Complete');
  t.deepEqual([last.get(id('name')), last.get(id('amount')), last.get(id('mail'))], ['Ada', '<many> "', 'nobody']);
  t.deepEqual(await values('Form'), {});
});

test('answers for fields that the version lacks, which the run follows by now, are shown and not dropped', async (t) => {
  const org = await newOrganization(app);
  const fields = [
    { key: 'name', label: 'Name', type: 'TEXT' },
    { key: 'notes', label: 'Notes', type: 'LONG_TEXT' },
    { key: 'agreed', label: 'Agreed', type: 'CHECKBOX' },
  ] as const;
  const { member, path, id, values, run, process } = await beginTask(app, org, [{ title: 'Form', fields }]);
  const { fields: sent } = formWith((await member.get(path('Form'))).html, 'Save');
  const remove = async (key: string) => {
    const ids = { id: process.templateId, taskId: process.taskIds['Form'] ?? '' };
    const params = { ...ids, fieldId: process.fields[key]?.id ?? '' };
    await must(org.api.call('templates.fields', 'delete', { params }));
  };
  for (const key of ['notes', 'agreed']) await remove(key);
  const { id: toVersionId } = await must(org.api.call('templates', 'publish', { params: { id: process.templateId } }));
  await must(org.api.call('runs', 'migrate', { params: { id: run.id }, body: { toVersionId } }));
  sent.set(id('name'), 'Ada');
  sent.set(id('notes'), '<long> notes');
  sent.set('action', 'save');
  const { status, html } = await member.submit(path('Form'), sent);
  t.is(status, 412);
  t.regex(html, /not part of the form any more, so your answer cannot be saved: “&lt;long&gt; notes”[^]*value="Ada"/);
  t.is(html.split('not part of the form any more').length, 2, 'a box that was not ticked is no answer');
  t.deepEqual(await values('Form'), {});
  const again = formWith(html, 'Save');
  again.fields.set('action', 'save');
  t.is((await member.submit(path('Form'), again.fields)).status, 303);
  t.deepEqual(await values('Form'), { name: 'Ada' });
});

test('completing a task leads to the next one, and the last one to the list', async (t) => {
  const org = await newOrganization(app);
  const assigneeId = org.ownerUserId;
  const { member, path, run } = await beginTask(app, org, [
    { title: 'First', assigneeId },
    { title: 'Second', assigneeId },
  ]);
  const complete = async (title: string) => {
    const { action, fields } = formWith((await member.get(path(title))).html, 'Complete');
    fields.set('action', 'complete');
    return (await member.submit(action, fields)).headers.get('location');
  };
  t.is(await complete('First'), `${path('Second')}?notice=completed`);
  t.is(await complete('Second'), '/console/tasks?notice=allDone');
  t.is((await getRun(org.api, run.id)).status, 'COMPLETED');
  t.regex((await member.get(path('First'))).html, /The task is completed/);
});

test('fields that rules show appear after saving, and completing asks for the required ones among them', async (t) => {
  const org = await newOrganization(app);
  const { api } = org;
  const { id: templateId } = await must(api.call('templates', 'create', { body: { name: 'Conditional' } }));
  const params = { id: templateId };
  const task = await must(api.call('templates.tasks', 'create', { params, body: { title: 'Form' } }));
  const add = (key: string, type: FieldType, required: boolean) => {
    const body = { key, label: key, type, required };
    return must(api.call('templates.fields', 'create', { params: { id: templateId, taskId: task.id }, body }));
  };
  const more = await add('more', 'CHECKBOX', false);
  const reason = await add('reason', 'TEXT', true);
  await must(
    api.call('templates.rules', 'create', {
      params: { id: templateId, taskId: task.id },
      body: {
        name: 'Ask why',
        conditions: [{ source: { type: 'FIELD', fieldId: more.id }, operator: 'EQUALS', value: true }],
        actions: [{ type: 'SHOW', fieldIds: [reason.id] }],
      },
    }),
  );
  await must(api.call('templates', 'publish', { params }));
  const run = await launchRun(api, templateId);
  const taskId = run.byTitle('Form').runTaskId;
  const member = newClient(app);
  await member.signIn(org.ownerEmail, org.ownerPassword);
  const { html } = await member.get(`/console/tasks/${taskId}`);
  t.regex(html, /Some fields depend on other answers/);
  t.false(html.includes(`id="f-${reason.id}"`));
  const { action, fields } = formWith(html, 'Complete');
  fields.set(`f-${more.id}`, 'true');
  fields.set('action', 'complete');
  const asked = await member.submit(action, fields);
  t.is(asked.status, 400);
  t.true(asked.html.includes(`<a href="#f-${reason.id}">&quot;reason&quot; needs an answer</a>`));
  const { fields: rest } = formWith(asked.html, 'Complete');
  t.is(rest.get(`f-${more.id}`), 'true');
  rest.set(`f-${reason.id}`, '<typed>');
  const { data: entries } = await must(api.call('execution', 'entries', { params: { runTaskId: taskId } }));
  const set = (value: boolean) => {
    const body = { executionEntryId: entries[0]?.id ?? '', runTaskFieldId: more.id, value };
    return must(api.call('execution', 'submit', { body }));
  };
  await set(false);
  const vanished = await member.submit(action, rest);
  t.is(vanished.status, 412);
  t.regex(vanished.html, /&quot;reason&quot; is not part of the form any more[^]*&lt;typed&gt;/);
  await set(true);
  rest.set(`f-${reason.id}`, 'because');
  rest.set('action', 'complete');
  t.is((await member.submit(action, rest)).status, 303);
  t.is((await getRun(api, run.id)).status, 'COMPLETED');
});
