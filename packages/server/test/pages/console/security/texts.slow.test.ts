import { useApp } from '@runward/testing/app';
import { hasChromium, useBrowser } from '@runward/testing/browser';
import { newOrganization, type TestOrganization } from '@runward/testing/organization';
import { fieldsOf, newClient } from '@runward/testing/page-client';
import { launchRun, must, publishProcess } from '@runward/testing/process';
import { startReceiver } from '@runward/testing/receiver';
import test from 'ava';
import { newSource } from '../../../support/data-sources.ts';
import { bodyOf, pathOf, sampledForms, sampledPages, searchOf } from '../../../support/sweep/console-pages.ts';
import { markedWorld } from '../../../support/sweep/marked-world.ts';
import { newImage } from '../../../support/world/files.ts';
import type { World } from '../../../support/world/world.ts';

const app = useApp(test, { retrySchedule: [0] });
const visit = useBrowser(test);
const withChromium = hasChromium ? test.serial : test.serial.skip;
const stack = new AsyncDisposableStack();
test.after.always(() => stack.disposeAsync());

const hostile = [
  `"'><script>evil()</script><img src=evil onerror=evil()>`,
  `" onmouseover="evil()" hx-get="/evil" data-hx-on="evil()" ' onclick='evil()'`,
  '</title></textarea></select>[a](javascript:evil())',
].join(' ');

/** What a parser finds in a page that a template of the console cannot have written. */
const inspect = `(html) => {
  const page = new DOMParser().parseFromString(html, 'text/html');
  const ours = /^hx-(get|post|trigger|select|swap|vals|validate|sync|target|morph-skip)$/;
  const found = [];
  for (const each of page.querySelectorAll('*')) {
    for (const { name, value } of each.attributes) {
      const isActive = /^(on|hx-|data-hx|style|srcdoc|formaction)/.test(name) && !(ours.test(name) && !value.includes('evil'));
      const leads = ['href', 'src', 'action'].includes(name) && !/^(?:[/?#](?!\\/)|https:\\/\\/|http:\\/\\/127\\.0\\.0\\.1|mailto:|$)/.test(value);
      if (isActive || leads) found.push(each.localName + ' ' + name + '=' + value);
    }
  }
  const alien = 'script:not([src^="/assets/"]), img, svg, iframe, object, embed, base, style, frame, math, template';
  return [...found, ...[...page.querySelectorAll(alien)].map((each) => each.outerHTML)];
}`;

/** A run with a form of fields of many types, all of them answered. `org` has an API that marks nothing. */
async function newFullRun({ api, ids }: World, org: TestOrganization) {
  const source = await newSource(org.api, [{ name: 'label', type: 'TEXT' }]);
  const [row = ''] = await source.addRows({ label: hostile });
  const options = [{ key: 'a', label: 'An option' }];
  const dataSource = { dataSourceId: source.id, labelColumnId: source.column('label'), autoFill: [] };
  const fields = [
    { key: 'text', label: 'Text', type: 'TEXT' },
    { key: 'long', label: 'Long', type: 'LONG_TEXT' },
    { key: 'one', label: 'One', type: 'DROPDOWN', options },
    { key: 'many', label: 'Many', type: 'MULTI_SELECT', options },
    { key: 'person', label: 'Person', type: 'USER' },
    { key: 'paper', label: 'Paper', type: 'FILE_UPLOAD' },
    { key: 'row', label: 'Row', type: 'DATA_SOURCE', dataSource },
  ] as const;
  const description = '[a](javascript:evil()) <b onclick="evil()">b</b> <javascript:evil()> ![c](//evil.example/x.png)';
  const tasks = [
    { title: 'Form', description, fields, approval: { allowSelfApproval: true }, assigneeId: ids.member },
    { title: 'Next', description },
  ];
  const { templateId, fields: made } = await publishProcess(api, tasks);
  const run = await launchRun(api, templateId, { title: 'Run' });
  const [form, next] = run.tasks.map(({ runTaskId }) => runTaskId);
  const { id: executionEntryId } = await must(api.call('execution', 'open', { body: { runTaskId: form ?? '' } }));
  const idOf = (key: string) => made[key]?.id ?? '';
  const file = new File([newImage()], 'pixel.gif', { type: 'image/gif' });
  const upload = { executionEntryId, runTaskFieldId: idOf('paper'), file };
  await must(api.call('files', 'directUpload', { body: upload }));
  const values = { text: hostile, long: hostile, one: 'a', many: ['a'], person: ids.member, row };
  for (const [key, value] of Object.entries(values)) {
    await must(org.api.call('execution', 'submit', { body: { executionEntryId, runTaskFieldId: idOf(key), value } }));
  }
  return { run: run.id, form, next };
}

withChromium('hostile text in everything that a tenant names stays text on every page of the console', async (t) => {
  const receiver = stack.use(
    await startReceiver(() => (response) => void response.writeHead(200, { 'content-type': 'text/html' }).end(hostile)),
  );
  const org = await newOrganization(app);
  const world = await markedWorld(app, org, receiver.url, hostile);
  const { run, form, next } = await newFullRun(world, org);
  const name = { params: { id: org.ownerUserId }, body: { name: hostile } };
  await must((await org.session()).call('users', 'update', name));
  const client = newClient(app);
  await client.signIn(org.ownerEmail, org.ownerPassword);
  const { csrf = '' } = fieldsOf((await client.get('/console/account')).html);
  const answers: { readonly what: string; readonly html: string }[] = [];
  const look = async (path: string) => answers.push({ what: path, html: (await client.get(path)).html });
  for (const sampled of sampledPages.filter(({ page }) => page.method === 'GET')) {
    await look(pathOf(sampled, (subject) => world.ids[subject]) + searchOf(sampled, world.ids));
  }
  const search = new URLSearchParams({ q: hostile.slice(0, 100), search: hostile.slice(0, 100), notice: hostile });
  for (const part of ['search', 'runs', 'launch', 'members', 'groups', 'folders', 'webhooks/deliveries']) {
    await look(`/console/${part}?${search.toString()}&email=${search.get('q')}&status=${search.get('q')}`);
  }
  for (const path of [`tasks/${form}`, `tasks/${next}`, `runs/${run}`]) await look(`/console/${path}`);
  for (const sampled of sampledForms) {
    const fields = (await sampled.fields?.(world.ids, world)) ?? {};
    // A hostile id in a path is the matter of another test. Hostile fields are rejected, and shown again.
    const bad = Object.fromEntries(Object.keys(fields).map((name) => [name, hostile]));
    const path = pathOf(sampled, (subject) => world.ids[subject]);
    for (const each of [
      bad,
      { ...fields, name: `${hostile}${'x'.repeat(300)}`, title: `${hostile}${'x'.repeat(300)}` },
    ]) {
      for (const token of ['x', csrf]) {
        // Without fields nothing of the form is shown.
        if (token === csrf && Object.keys(fields).length === 0) continue;
        const { html } = await client.upload(path, bodyOf(sampled, { csrf: token, ...each }));
        answers.push({ what: `POST ${path}`, html });
      }
    }
  }
  const shown = answers.filter(({ html }) => html.split('<main')[1]?.includes('&lt;script&gt;evil()'));
  t.true(shown.length > 100, `${shown.length} of ${answers.length} show hostile text`);
  await visit(t, async (browser) => {
    const found = (html: string) => browser.evaluate<string[]>(`(${inspect})(${JSON.stringify(html)})`);
    t.is((await found('<p onclick="x" hx-get="/evil"><a href="//evil.example"><img>')).length, 4, 'what is found');
    for (const { what, html } of answers) {
      t.deepEqual(await found(html), [], what);
    }
  });
});
