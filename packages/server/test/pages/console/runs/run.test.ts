import { newOrganization } from '@runward/testing/organization';
import { newClient } from '@runward/testing/page-client';
import { launchRun, must, publishProcess, type TaskSketch } from '@runward/testing/process';
import { useSharedApp } from '@runward/testing/use-shared-app';
import test from 'ava';

const app = useSharedApp(test);

const hostile = `"'><script>alert(1)</script>`;
const escaped = '&quot;&#39;&gt;&lt;script&gt;alert(1)&lt;/script&gt;';

async function setting({
  tasks = [{ title: 'First' }, { title: 'Second' }],
  timeZone = 'UTC',
}: { tasks?: TaskSketch[]; timeZone?: string } = {}) {
  const org = await newOrganization(app, { timeZone });
  const process = await publishProcess(org.api, tasks, { name: 'Onboarding' });
  const run = await launchRun(org.api, process.templateId, { title: 'Ada' });
  const member = newClient(app);
  await member.signIn(org.ownerEmail, org.ownerPassword);
  return { org, process, run, member, path: `/console/runs/${run.id}` };
}

test('a run shows its facts, its tasks with links and reasons, and its activity, newest first', async (t) => {
  const org = await newOrganization(app);
  const { templateId } = await publishProcess(org.api, [
    { title: 'Collect', fields: [{ key: 'name', label: 'Full name', type: 'TEXT', required: true }] },
  ]);
  const run = await launchRun(org.api, templateId, { title: 'Ada' });
  const member = newClient(app);
  await member.signIn(org.ownerEmail, org.ownerPassword);
  const { runTaskId } = run.byTitle('Collect');
  await must(org.api.call('execution', 'open', { body: { runTaskId } }));
  const { status, html } = await member.get(`/console/runs/${run.id}`);
  t.is(status, 200);
  t.regex(html, new RegExp(`<h1>Ada</h1>[^]*${run.publicId}[^]*Running[^]*Process, version 1`));
  t.regex(html, new RegExp(`href="/console/tasks/${runTaskId}"><bdi>Collect</bdi>[^]*class="why">[^<]*Full name`));
  t.regex(html, /Opened the form of “Collect”[^]*\(API key\)[^]*Started the run/);
  const [, pdf = ''] = /href="(\/runs\/[0-9a-f-]+\/export\/pdf)"/.exec(html) ?? [];
  t.is((await member.get(pdf)).headers.get('content-type'), 'application/pdf');
});

test('a run of another organization, and an id that does not fit, is a page with 404 or 400', async (t) => {
  const { member } = await setting();
  const { path } = await setting();
  t.is((await member.get(path)).status, 404);
  for (const id of ['x', '%00', "a'b", '..%2f..']) {
    const { status } = await member.get(`/console/runs/${id}`);
    t.true(status === 404 || status === 400, `${id}: ${status}`);
  }
});

test('a run as it was at a time in the time zone of the organization has no actions', async (t) => {
  const { run, member, path } = await setting({ timeZone: 'Asia/Tokyo' });
  const at = new Date(Date.now() + 9 * 3_600_000 + 1_000).toISOString().slice(0, 19);
  const { html, status } = await member.get(`${path}?at=${encodeURIComponent(at)}`);
  t.is(status, 200, html);
  t.regex(html, /This is the run as it was on/);
  t.regex(html, new RegExp(`href="/console/tasks/${run.byTitle('First').runTaskId}"`));
  t.notRegex(html, /<button[^>]*name="do"|\/change\?do=/);
  t.regex(html, /Times are in Asia\/Tokyo/);
  t.is((await member.get(`${path}?at=2001-01-01T00:00`)).status, 400, 'before its launch');
  t.is((await member.get(`${path}?at=nonsense`)).status, 400);
});

test('a time that the clocks of the organization skip is rejected with 400 and the reason', async (t) => {
  const { member, path } = await setting({ timeZone: 'Europe/Berlin' });
  const { html, status } = await member.get(`${path}?at=2026-03-29T02:30`);
  t.is(status, 400);
  t.regex(html, /at: must be a date with a time that clocks in Europe\/Berlin show/);
});

test('hostile texts in a run stay text', async (t) => {
  const org = await newOrganization(app);
  const { templateId } = await publishProcess(org.api, [{ title: hostile }], { name: hostile }, [
    { key: 'note', defaultValue: hostile },
  ]);
  const run = await launchRun(org.api, templateId, { title: hostile });
  const member = newClient(app);
  await member.signIn(org.ownerEmail, org.ownerPassword);
  for (const path of ['/console/runs', `/console/runs/${run.id}`]) {
    const { html } = await member.get(path);
    t.true(html.includes(escaped), path);
    t.notRegex(html, /<script>/, path);
  }
});

test('values are shown as people read them, files can be downloaded, and both stay text', async (t) => {
  const { org, run, member, path, process } = await setting({
    tasks: [
      {
        title: 'First',
        fields: [
          { key: 'name', label: `Name ${hostile}`, type: 'TEXT' },
          { key: 'scan', label: 'Scan', type: 'FILE_UPLOAD' },
        ],
      },
    ],
  });
  const { runTaskId } = run.byTitle('First');
  const { id: executionEntryId } = await must(org.api.call('execution', 'open', { body: { runTaskId } }));
  const field = (key: string) => ({ executionEntryId, runTaskFieldId: process.fields[key]?.id ?? '' });
  await must(org.api.call('execution', 'submit', { body: { ...field('name'), value: `Ada ${hostile}` } }));
  const form = new FormData();
  for (const [name, value] of Object.entries(field('scan'))) form.set(name, value);
  form.set('file', new Blob(['content']), `scan's <b>.txt`);
  const upload = await fetch(`${app.baseUrl}/files/direct-upload`, {
    method: 'POST',
    headers: { authorization: `Bearer ${org.apiKey}` },
    body: form,
  });
  t.is(upload.status, 201, await upload.text());
  const { html } = await member.get(path);
  t.regex(html, new RegExp(`Name ${escaped}[^]*Ada ${escaped}`.replaceAll('(', '\\(').replaceAll(')', '\\)')));
  const [, link = ''] = /href="([^"]*\/files\/[^"]*)"><bdi>scan&#39;s _b_\.txt/.exec(html) ?? [];
  const { status, headers } = await member.get(link);
  t.is(status, 303);
  t.is(await (await fetch(headers.get('location') ?? '')).text(), 'content');
  const other = await setting();
  t.is((await other.member.get(link)).status, 404, 'of another organization');
  const at = new Date(Date.now() + 1_000).toISOString().slice(0, 19);
  t.regex((await member.get(`${path}?at=${at}`)).html, /Ada &quot;&#39;&gt;&lt;script&gt;/);
});

test('a run as it was shows values as people read them', async (t) => {
  const options = [{ key: 'a', label: '<Alpha>' }];
  const fields = [
    { key: 'moment', label: 'Moment', type: 'DATETIME' },
    { key: 'amount', label: 'Amount', type: 'NUMBER' },
    { key: 'choice', label: 'Choice', type: 'DROPDOWN', options },
    { key: 'agreed', label: 'Agreed', type: 'CHECKBOX' },
  ] as const;
  const { org, run, member, path, process } = await setting({
    tasks: [{ title: 'First', fields: [...fields] }],
    timeZone: 'Asia/Tokyo',
  });
  const entered = { moment: '2026-07-01T07:30:00Z', amount: 12_345.5, choice: 'a', agreed: true };
  const values = Object.entries(entered).map(([key, value]) => {
    return { runTaskFieldId: process.fields[key]?.id ?? '', value };
  });
  const body = { runTaskId: run.byTitle('First').runTaskId, values };
  await must(org.api.call('execution', 'submitForm', { body }));
  const at = new Date(Date.now() + 9 * 3_600_000 + 1_000).toISOString().slice(0, 19);
  const { html } = await member.get(`${path}?at=${at}`);
  t.regex(html, /Moment[^]*1 Jul 2026, 16:30[^]*12,345\.5[^]*&lt;Alpha&gt;[^]*<dd>Yes<\/dd>/);
});

test('with more than 50 tasks phases are folded, and activity goes on after 50 lines', async (t) => {
  const { org, run, member, path } = await setting({
    tasks: Array.from({ length: 51 }, (_, index) => ({ title: `Task ${index}` })),
  });
  for (const { runTaskId } of run.tasks) {
    await must(
      org.api.call('runs.tasks', 'setDueDate', {
        params: { taskId: runTaskId },
        body: { dueAt: '2099-01-01T00:00:00Z' },
      }),
    );
  }
  const { html } = await member.get(path);
  t.regex(html, /<details class="phase"\s*>\s*<summary><bdi>Without a phase<\/bdi> <span class="count">0 of 51</);
  t.is(html.match(/Changed the deadline of/g)?.length, 50);
  const [, next = ''] = /href="([^"]*)" rel="next">Earlier activity/.exec(html) ?? [];
  t.true(next.endsWith('#activity'));
  const second = await member.get(next.replaceAll('&amp;', '&').replace('#activity', ''));
  t.regex(second.html, /Changed the deadline of “Task 0”[^]*Started the run/);
  const [, values = ''] = /href="([^"]*)" rel="next">Values of more tasks/.exec(html) ?? [];
  t.is((await member.get(values.replaceAll('&amp;', '&').split('#')[0] ?? '')).status, 200);
});
