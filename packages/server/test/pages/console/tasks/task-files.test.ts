import { newOrganization } from '@runward/testing/organization';
import { formWith, newClient, unescaped } from '@runward/testing/page-client';
import { launchRun, must, publishProcess } from '@runward/testing/process';
import { useSharedApp } from '@runward/testing/use-shared-app';
import test from 'ava';
import { beginTask } from '../../../support/console.ts';
import { newSource } from '../../../support/data-sources.ts';
import { atPort, picture } from '../../../support/files.ts';

const app = useSharedApp(test);

test('files are uploaded, listed, downloaded and deleted without losing what is entered', async (t) => {
  const org = await newOrganization(app);
  const fields = [
    { key: 'name', label: 'Name', type: 'TEXT' },
    { key: 'papers', label: 'Papers', type: 'FILE_UPLOAD', required: true },
    { key: 'photo', label: 'Photo', type: 'IMAGE' },
    { key: 'signature', label: 'Signature', type: 'SIGNATURE' },
  ] as const;
  const { member, path, id, values } = await beginTask(app, org, [{ title: 'Form', fields }]);
  const upload = async (key: string, content: string | Uint8Array<ArrayBuffer>, fileName: string) => {
    const { html } = await member.get(path('Form'));
    const { fields: sent, action } = formWith(html, `value="${id(key).slice(2)}"`);
    const form = new FormData();
    for (const [each, value] of sent) form.append(each, value);
    form.append('file', new File([content], fileName));
    return member.upload(action, form);
  };
  const name = 'a&b.txt';
  t.is((await upload('papers', 'hello', name)).headers.get('location'), `${path('Form')}?notice=saved`);
  const image = new Uint8Array(await picture());
  for (const key of ['photo', 'signature']) t.is((await upload(key, image, `${key}.png`)).status, 303, key);
  const wrong = await upload('signature', 'no image', 'signature.txt');
  t.is(wrong.status, 400);
  t.regex(wrong.html, /role="alert"[^]*signature/i);
  const saved = await values('Form');
  t.deepEqual(Object.keys(saved).toSorted(), ['papers', 'photo', 'signature']);

  const { html } = await member.get(path('Form'));
  t.regex(html, />a&amp;b\.txt<\/a>/);
  const [, link = ''] = /href="(\/console\/tasks\/files\/[^"]+)"/.exec(html) ?? [];
  const { status, headers } = await member.get(link);
  t.is(status, 303);
  t.is(await (await fetch(atPort(app, headers.get('location') ?? ''))).text(), 'hello');

  const { fields: sent } = formWith(html, 'Complete');
  sent.set(id('name'), 'typed');
  sent.set('action', `remove:${link.split('/').at(-1)}`);
  const removed = await member.submit(path('Form'), sent);
  t.is(removed.status, 200);
  t.is(formWith(removed.html, 'Complete').fields.get(id('name')), 'typed');
  t.notRegex(removed.html, /a&amp;b\.txt<\/a>/);
  sent.set('action', 'complete');
  t.regex((await member.submit(path('Form'), sent)).html, /&quot;Papers&quot; needs an answer/);

  const other = newClient(app);
  const foreign = await newOrganization(app);
  await other.signIn(foreign.ownerEmail, foreign.ownerPassword);
  t.is((await other.get(link)).status, 404);
  member.cookies.delete('flow_session');
  const form = new FormData();
  form.append('csrf', 'x');
  form.append('field', 'x');
  form.append('file', new File(['x'], 'x.txt'));
  t.regex((await member.upload(`${path('Form')}/files`, form)).headers.get('location') ?? '', /^\/sign-in\?next=/);
});

test('a file that is sent after the run was cancelled is not attached, and the page says why', async (t) => {
  const org = await newOrganization(app);
  const fields = [{ key: 'papers', label: 'Papers', type: 'FILE_UPLOAD' }] as const;
  const { member, path, run, values } = await beginTask(app, org, [{ title: 'Form', fields }]);
  const { fields: sent, action } = formWith((await member.get(path('Form'))).html, 'name="field"');
  const form = new FormData();
  for (const [each, value] of sent) form.append(each, value);
  form.append('file', new File(['hello'], 'a.txt'));
  await must(org.api.call('runs', 'cancel', { params: { id: run.id } }));
  const { status, html } = await member.upload(action, form);
  t.is(status, 409);
  t.regex(html, /role="alert"[^]*The run was cancelled, so that the form is closed\. The file was not attached\./);
  t.deepEqual(await values('Form'), {});
});

test('a row is looked up by a text, and fills the fields that the template names', async (t) => {
  const org = await newOrganization(app);
  const { api } = org;
  const source = await newSource(api, [
    { name: 'name', type: 'TEXT' },
    { name: 'city', type: 'TEXT' },
  ]);
  const [row = ''] = await source.addRows({ name: '<Acme>', city: 'Bonn' }, { name: 'Other', city: 'Köln' });
  const { id: templateId } = await must(api.call('templates', 'create', { body: { name: 'Lookup' } }));
  const task = await must(
    api.call('templates.tasks', 'create', { params: { id: templateId }, body: { title: 'Form' } }),
  );
  const params = { id: templateId, taskId: task.id };
  const city = await must(
    api.call('templates.fields', 'create', { params, body: { key: 'city', label: 'City', type: 'TEXT' } }),
  );
  const dataSource = {
    dataSourceId: source.id,
    labelColumnId: source.column('name'),
    autoFill: [{ columnId: source.column('city'), fieldId: city.id }],
  };
  const supplier = await must(
    api.call('templates.fields', 'create', {
      params,
      body: { key: 'supplier', label: 'Supplier', type: 'DATA_SOURCE', dataSource },
    }),
  );
  await must(api.call('templates', 'publish', { params: { id: templateId } }));
  const run = await launchRun(api, templateId);
  const path = `/console/tasks/${run.byTitle('Form').runTaskId}`;
  const member = newClient(app);
  await member.signIn(org.ownerEmail, org.ownerPassword);

  const { fields } = formWith((await member.get(path)).html, 'Complete');
  fields.set(`search-f-${supplier.id}`, 'acme');
  fields.set('action', `search:${supplier.id}`);
  const found = await member.submit(path, fields);
  t.regex(found.html, /&lt;Acme&gt;/);
  t.notRegex(found.html, /Other/);
  t.notRegex(found.html, /More rows match/);
  await source.addRows(...Array.from({ length: 21 }, (_, index) => ({ name: `Many ${index}`, city: 'Bonn' })));
  fields.set(`search-f-${supplier.id}`, 'many');
  t.regex((await member.submit(path, fields)).html, /More rows match\. Search for a longer text/);
  const { fields: chosen } = formWith(found.html, 'Complete');
  t.is(chosen.get(`search-f-${supplier.id}`), 'acme');
  chosen.set(`f-${supplier.id}`, row);
  chosen.set('action', 'save');
  t.is((await member.submit(path, chosen)).status, 303);
  const { fields: filled } = formWith((await member.get(path)).html, 'Complete');
  t.deepEqual([filled.get(`f-${supplier.id}`), filled.get(`f-${city.id}`)], [row, 'Bonn']);
});

test('a repeatable task lists its entries, and takes new answers in another one', async (t) => {
  const org = await newOrganization(app);
  const sketch = { title: 'Form', repeatable: true, fields: [{ key: 'name', label: 'Name', type: 'TEXT' }] } as const;
  const { member, path, id, taskId } = await beginTask(app, org, [sketch, { title: 'Last' }]);
  const save = async (from: string, answer: string, button = 'save') => {
    const { action, fields } = formWith((await member.get(from)).html, 'Complete');
    fields.set(id('name'), answer);
    fields.set('action', button);
    return (await member.submit(action, fields)).headers.get('location') ?? '';
  };
  const first = await save(path('Form'), 'first');
  t.regex(first, /\?entry=[\w-]+&notice=saved$/);
  const second = await save(`${path('Form')}?entry=new`, 'second');
  t.not(first, second);
  await save(first, 'first, changed', 'complete');
  const read = async () => {
    const { data } = await must(org.api.call('execution', 'entries', { params: { runTaskId: taskId('Form') } }));
    return data.map(({ status, fieldValues }) => [status, fieldValues[0]?.value]);
  };
  t.regex((await member.get(path('Form'))).html, /action="[^"]*\?entry=[\w-]{36}"/);
  t.deepEqual(await read(), [
    ['OPEN', 'second'],
    ['COMPLETED', 'first, changed'],
  ]);
  const { html } = await member.get(first);
  t.regex(html, /<dt>Name<\/dt>\s*<dd>first, changed<\/dd>[^]*aria-current="true"/);
  t.is((await member.get(`${path('Form')}?entry=01a20d91-fb59-7a23-8666-4ac2bb8ca285`)).status, 404);
});

test('all entries of a repeatable task can be reached, 50 on a page', async (t) => {
  const org = await newOrganization(app);
  const sketch = { title: 'Form', repeatable: true, fields: [{ key: 'name', label: 'Name', type: 'TEXT' }] } as const;
  const { member, path, process, taskId } = await beginTask(app, org, [sketch, { title: 'Last' }]);
  for (let count = 0; count < 201; count += 1) {
    const values = [{ runTaskFieldId: process.fields['name']?.id ?? '', value: `Answer ${count}` }];
    await must(org.api.call('execution', 'submitForm', { body: { runTaskId: taskId('Form'), values } }));
  }
  let { html } = await member.get(path('Form'));
  for (let page = 2; page <= 5; page += 1) {
    const [, next = ''] = /href="([^"]+)" rel="next">Older entries/.exec(html) ?? [];
    ({ html } = await member.get(unescaped(next)));
  }
  t.notRegex(html, /Older entries/);
  const [, oldest = ''] = /<ul class="entries">\s*<li>\s*<a href="([^"]+)"/.exec(html) ?? [];
  t.regex((await member.get(unescaped(oldest))).html, /<dd>Answer 0<\/dd>[^]*aria-current="true"/);
  const other = unescaped(oldest).replace(taskId('Form'), taskId('Last'));
  t.is((await member.get(other)).status, 404, 'of another task');
});

test('a member is found by a part of the name if there are too many for one list', async (t) => {
  const org = await newOrganization(app);
  const fields = [{ key: 'person', label: 'Person', type: 'USER' }] as const;
  for (let count = 0; count < 200; count += 1) await org.member(`Member ${String(count).padStart(3, '0')}`);
  const { id: last } = await org.member('Zoe <Z>');
  const { member, path, id, values } = await beginTask(app, org, [{ title: 'Form', fields }]);
  const { html } = await member.get(path('Form'));
  const { fields: sent } = formWith(html, 'Complete');
  t.true(html.includes(`value="user:${last}"`), 'the task can be given to them');
  t.false(/<form\s[^>]*class="task-form"[^]*?<\/form>/.exec(html)?.[0].includes(last));
  sent.set(`search-${id('person')}`, 'zoe');
  sent.set('action', `search:${id('person').slice(2)}`);
  const found = await member.submit(path('Form'), sent);
  t.regex(found.html, /Zoe &lt;Z&gt;/);
  const { fields: chosen } = formWith(found.html, 'Complete');
  chosen.set(id('person'), last);
  chosen.set('action', 'save');
  t.is((await member.submit(path('Form'), chosen)).status, 303);
  t.deepEqual(await values('Form'), { person: last });
  t.is(formWith((await member.get(path('Form'))).html, 'Complete').fields.get(id('person')), last);
});

test('answers of other tasks and the activity are folded', async (t) => {
  const org = await newOrganization(app);
  const fields = [{ key: 'name', label: 'Name', type: 'DROPDOWN' as const, options: [{ key: 'a', label: '<Alpha>' }] }];
  const { templateId, ...process } = await publishProcess(org.api, [
    { title: 'First <1>', fields },
    { title: 'Second' },
  ]);
  const run = await launchRun(org.api, templateId);
  const values = [{ runTaskFieldId: process.fields['name']?.id ?? '', value: 'a' }];
  const body = { runTaskId: run.byTitle('First <1>').runTaskId, values };
  await must(org.api.call('execution', 'submitForm', { body }));
  const member = newClient(app);
  await member.signIn(org.ownerEmail, org.ownerPassword);
  const second = await member.get(`/console/tasks/${run.byTitle('Second').runTaskId}`);
  t.regex(second.html, /Earlier answers of this run \(1\)[^]*First &lt;1&gt;: Name[^]*&lt;Alpha&gt;/);
  const first = await member.get(`/console/tasks/${body.runTaskId}`);
  t.regex(first.html, /Activity of this task[^]*Completed “First &lt;1&gt;”/);
});
