import { createClamd } from '@runward/server/internal/adapters/clamd';
import type { VirusScanner } from '@runward/server/internal/adapters/virus-scanner';
import { useApp } from '@runward/testing/app';
import { addMember } from '@runward/testing/members';
import { newOrganization } from '@runward/testing/organization';
import { formWith } from '@runward/testing/page-client';
import { must } from '@runward/testing/process';
import test from 'ava';
import { eicar, hasClamd, prepareClamd, type TestClamd } from '../../../support/clamd.ts';
import { beginTask } from '../../../support/console.ts';

let clamd: TestClamd | undefined;
const scanner: VirusScanner = { scan: (content, signal) => createClamd(clamd?.url ?? '').scan(content, signal) };
const app = useApp(test, hasClamd ? { scanner } : {});
const withClamd = hasClamd ? test.serial : test.serial.skip;
if (!hasClamd) console.log('clamd is not installed: its test is skipped.');
test.before(async () => {
  if (hasClamd) clamd = await prepareClamd();
  await clamd?.start();
});
test.after.always(() => clamd?.[Symbol.asyncDispose]());

const name = { key: 'name', label: 'Name', type: 'TEXT' } as const;
const paper = { key: 'paper', label: 'Paper', type: 'FILE_UPLOAD' } as const;

test.serial('what was entered for a task that a migration has removed meanwhile can be copied', async (t) => {
  const org = await newOrganization(app);
  const tasks = [{ title: 'Form', fields: [name] }, { title: 'Last' }];
  const { member, path, id, run, process } = await beginTask(app, org, tasks);
  const { fields } = formWith((await member.get(path('Form'))).html, 'Save');
  fields.set(id('name'), '<Ada>');
  const params = { id: process.templateId, taskId: process.taskIds['Form'] ?? '' };
  await must(org.api.call('templates.tasks', 'delete', { params }));
  const { id: toVersionId } = await must(org.api.call('templates', 'publish', { params }));
  await must(org.api.call('runs', 'migrate', { params: { id: run.id }, body: { toVersionId } }));
  const { status, html } = await member.submit(path('Form'), fields);
  t.is(status, 404);
  t.regex(html, /removed meanwhile\. Nothing was saved[^]*What you entered[^]*&lt;Ada&gt;/);
  t.is((await member.get(path('Form'))).status, 404);
});

test.serial('a task that is blocked meanwhile keeps what was entered, and says what it waits for', async (t) => {
  const org = await newOrganization(app);
  const tasks = [{ title: 'First' }, { title: 'Form', fields: [name] }];
  const { member, path, id, run, process } = await beginTask(app, org, tasks);
  const { fields } = formWith((await member.get(path('Form'))).html, 'Save');
  const params = { id: process.templateId, taskId: process.taskIds['Form'] ?? '' };
  const body = { taskIds: [process.taskIds['First'] ?? ''] };
  await must(org.api.call('templates.dependencies', 'set', { params, body }));
  const { id: toVersionId } = await must(org.api.call('templates', 'publish', { params }));
  await must(org.api.call('runs', 'migrate', { params: { id: run.id }, body: { toVersionId } }));
  fields.set(id('name'), '<Ada>');
  fields.set('action', 'complete');
  const { status, html } = await member.submit(path('Form'), fields);
  t.true(status >= 400 && status < 500, `${status}`);
  t.regex(html, /role="alert"[^]*(?:blocked|wait|depend)/i);
  t.is(formWith(html, 'Save').fields.get(id('name')), '<Ada>');
  t.regex((await member.get(path('Form'))).html, /Waits for<\/dt>\s*<dd>\s*First/);
});

test.serial('a deactivated member is neither assigned nor answered, and is named as the approver', async (t) => {
  const org = await newOrganization(app);
  const owner = await org.session();
  const [former, foreign] = [await addMember(app.baseUrl, owner, { name: 'Former' }), await newOrganization(app)];
  const person = { key: 'person', label: 'Person', type: 'USER' } as const;
  const approval = { approverIds: [former.id] };
  const { member, path, id, taskId, values } = await beginTask(app, org, [
    { title: 'Form', fields: [name, person], approval },
  ]);
  await must(owner.call('users', 'delete', { params: { id: former.id } }));
  const { html } = await member.get(path('Form'));
  t.regex(html, /Approvers: Former/);
  const { fields } = formWith(html, 'Save');
  for (const each of [former.id, foreign.ownerUserId]) {
    const assigned = await member.submit(path('Form'), {
      csrf: fields.get('csrf') ?? '',
      action: 'reassign',
      assignee: `user:${each}`,
    });
    t.is(assigned.status, 400);
    t.regex(assigned.html, /role="alert"[^]*not an active member/);
    fields.set(id('person'), each);
    fields.set(id('name'), 'Kept <b>');
    const answered = await member.submit(path('Form'), fields);
    t.is(answered.status, 400);
    t.regex(answered.html, /There is a problem[^]*Person/);
    t.is(formWith(answered.html, 'Save').fields.get(id('name')), 'Kept <b>');
  }
  t.deepEqual(await values('Form'), {});
  const task = await must(org.api.call('runs.tasks', 'get', { params: { taskId: taskId('Form') } }));
  t.is(task.assigneeId, null);
  const launch = await member.submit(
    `/console/launch/${(await must(org.api.call('runs', 'list'))).data[0]?.templateId}`,
    {
      csrf: fields.get('csrf') ?? '',
      title: 'Kept <b>',
      ownerEmail: former.email,
    },
  );
  t.is(launch.status, 400);
  t.regex(launch.html, /Owner: [^<]*active member[^]*value="Kept &lt;b&gt;"/);
});

test.serial('an empty file, and one for a field of another organization, are refused with the reason', async (t) => {
  const [org, other] = [await newOrganization(app), await newOrganization(app)];
  const { member, path, id, values } = await beginTask(app, org, [{ title: 'Form', fields: [paper] }]);
  const theirs = await beginTask(app, other, [{ title: 'Form', fields: [paper] }]);
  const { fields, action } = formWith((await member.get(path('Form'))).html, `value="${id('paper').slice(2)}"`);
  const upload = (content: string, field: string) => {
    const form = new FormData();
    form.append('csrf', fields.get('csrf') ?? '');
    form.append('field', field);
    form.append('file', new File([content], 'a.txt'));
    return member.upload(action, form);
  };
  const empty = await upload('', id('paper').slice(2));
  t.is(empty.status, 400);
  t.regex(empty.html, /<p>file: must not be empty/);
  for (const field of [theirs.id('paper').slice(2), 'x', '']) {
    const { status, html } = await upload('text', field);
    t.true(status >= 400 && status < 500, `${field}: ${status}`);
    t.regex(html, /role="alert"/, field);
  }
  t.deepEqual([await values('Form'), await theirs.values('Form')], [{}, {}]);
});

withClamd('an infected file is removed from its field, and the task and the overview say so', async (t) => {
  const org = await newOrganization(app);
  const { member, path, id, values } = await beginTask(app, org, [{ title: 'Form', fields: [name, paper] }]);
  const { fields, action } = formWith((await member.get(path('Form'))).html, `value="${id('paper').slice(2)}"`);
  const form = new FormData();
  for (const [each, value] of fields) form.append(each, value);
  form.append('file', new File([eicar], 'cv.txt'));
  t.is((await member.upload(action, form)).status, 303);
  await app.examiner.tick();
  t.deepEqual(await values('Form'), { paper: null });
  t.regex((await member.get('/console')).html, /Infected files[^]*cv\.txt[^]*Eicar-Test-Signature/);
  const { html } = await member.get(path('Form'));
  t.regex(html, /Activity of this task[^]*Removed an infected file of “Form”/);
});
