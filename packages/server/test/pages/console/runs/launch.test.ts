import { addMember } from '@runward/testing/members';
import { newOrganization } from '@runward/testing/organization';
import { newClient } from '@runward/testing/page-client';
import { getRun, must, publishProcess } from '@runward/testing/process';
import { useSharedApp } from '@runward/testing/use-shared-app';
import test from 'ava';
import { formOf, withField } from '../../../support/form-of.ts';

const app = useSharedApp(test);

const hostile = `"'><script>alert(1)</script>`;

async function setting() {
  const org = await newOrganization(app);
  const { templateId } = await publishProcess(org.api, undefined, { name: 'Onboarding', description: hostile }, [
    { key: 'country', name: 'Country <of> work', type: 'TEXT', defaultValue: 'DE', description: hostile },
    { key: 'seats', type: 'NUMBER' },
    { key: 'remote', type: 'BOOLEAN' },
    { key: 'start', type: 'DATE' },
    { key: 'terms', type: 'TEXT', defaultValue: 'One\nTwo' },
  ]);
  const member = newClient(app);
  await member.signIn(org.ownerEmail, org.ownerPassword);
  return { org, templateId, member, path: `/console/launch/${templateId}` };
}

const titlesOf = (html: string) =>
  [...html.matchAll(/href="\/console\/launch\/[0-9a-f-]{36}"\s*><bdi>([^<]*)/g)].map(([, title]) => title);

test('published templates are listed by pages of 50, and can be searched by name', async (t) => {
  const { org, member } = await setting();
  for (let index = 0; index < 51; index += 1) {
    const { id } = await must(org.api.call('templates', 'create', { body: { name: `Extra ${index}` } }));
    await must(org.api.call('templates.tasks', 'create', { params: { id }, body: { title: 'Task' } }));
    await must(org.api.call('templates', 'publish', { params: { id } }));
  }
  await must(org.api.call('templates', 'create', { body: { name: 'Draft' } }));
  const { html } = await member.get('/console/launch');
  t.is(titlesOf(html).length, 50);
  t.regex(html, /52 templates/);
  const [, next = ''] = /href="([^"]*)" rel="next"/.exec(html) ?? [];
  const second = await member.get(next.replaceAll('&amp;', '&'));
  t.deepEqual([...titlesOf(html), ...titlesOf(second.html)].length, 52);
  t.deepEqual(titlesOf((await member.get('/console/launch?search=boarD')).html), ['Onboarding']);
  t.regex((await member.get('/console/launch?search=%3Cnone')).html, /No template has this name/);
});

test('the form has a field for each variable by its type, filled with the default values', async (t) => {
  const { member, path } = await setting();
  const { status, html } = await member.get(path);
  t.is(status, 200);
  t.regex(html, /Country &lt;of&gt; work[^]*value="DE"/);
  t.regex(html, /name="variables.seats"[^>]*inputmode="decimal"/);
  t.regex(html, /<select[^>]*name="variables.remote"[^]*Not stated[^]*Yes[^]*No/);
  t.regex(html, /name="variables.start"[^>]*type="date"/);
  t.notRegex(html, /<script>/);
});

test('a launch by form starts the run with the title, owner, day and variables, and leads to it', async (t) => {
  const { org, member, path } = await setting();
  const grace = await org.member('Grace');
  const form = formOf((await member.get(path)).html, path);
  let fields = form.fields;
  const given = {
    title: 'Ada',
    scheduledDateLocal: '2031-02-03',
    ownerEmail: grace.email,
    'variables.seats': '12.5',
    'variables.remote': 'true',
    'variables.start': '2031-01-01',
  };
  for (const [name, value] of Object.entries(given)) fields = withField(fields, name, value);
  fields = withField(fields, 'variables.terms', 'One\r\nTwo');
  const { status, headers } = await member.submit(form.path, fields);
  t.is(status, 303);
  const [, runId = ''] = /^\/console\/runs\/([0-9a-f-]+)\?notice=launched$/.exec(headers.get('location') ?? '') ?? [];
  const run = await getRun(org.api, runId);
  t.is(run.title, 'Ada');
  t.is(run.ownerUserId, grace.id);
  t.is(run.scheduledDateLocal, '2031-02-03');
  t.deepEqual(run.variables, { country: 'DE', seats: 12.5, remote: true, start: '2031-01-01', terms: 'One\nTwo' });
  t.regex((await member.get(headers.get('location') ?? '')).html, /The run has started/);
});

test('the member who launches a run owns it, unless another owner is chosen', async (t) => {
  const { org, path } = await setting();
  const { id, email, password } = await addMember(app.baseUrl, await org.session(), { name: 'Zoe' });
  const zoe = newClient(app);
  await zoe.signIn(email, password);
  const form = formOf((await zoe.get(path)).html, path);
  // The form lists a part of the members only, in which its visitor may be missing.
  t.is(new Map(form.fields).get('ownerEmail'), '');
  t.is((await zoe.submit(form.path, form.fields)).status, 303);
  t.deepEqual(
    (await must(org.api.call('runs', 'list', {}))).data.map(({ ownerUserId }) => ownerUserId),
    [id],
  );
});

test('a rejected launch shows the form again with its errors, and keeps what was typed', async (t) => {
  const { org, member, path } = await setting();
  const form = formOf((await member.get(path)).html, path);
  let fields = withField(form.fields, 'variables.seats', `many ${hostile}`);
  fields = withField(fields, 'title', 'x'.repeat(300));
  const { status, html } = await member.submit(form.path, fields);
  t.is(status, 400);
  t.regex(html, /<title>Error: Launch Onboarding<\/title>/);
  t.regex(html, /role="alert"[^]*There is a problem[^]*href="#field-title"/);
  t.regex(html, /id="field-title-error"[^]*Title: must be at most 255 characters/);
  t.deepEqual(Object.fromEntries(formOf(html, path).fields), Object.fromEntries(fields));
  const onlyNumber = await member.submit(form.path, withField(form.fields, 'variables.seats', `many ${hostile}`));
  t.is(onlyNumber.status, 400);
  t.regex(onlyNumber.html, /href="#field-variables-seats"[^]*id="field-variables-seats-error"[^]*aria-invalid="true"/);
  t.notRegex(html + onlyNumber.html, /<script>/);
  t.is((await must(org.api.call('runs', 'counts'))).total, 0);
});

test('required variables are marked and needed, and a launch without one shows what is missing', async (t) => {
  const { org, member } = await setting();
  const { templateId } = await publishProcess(org.api, undefined, { name: 'Hire' }, [
    { key: 'region', name: 'Region', required: true },
    { key: 'remote', type: 'BOOLEAN', required: true },
    { key: 'note' },
  ]);
  const path = `/console/launch/${templateId}`;
  const { html } = await member.get(path);
  t.regex(html, /Region <span class="soft">\(required\)<\/span>/);
  t.regex(html, /<input[^>]*name="variables.region"[^>]*\srequired/);
  t.regex(html, /<select[^>]*name="variables.remote"[^>]*\srequired/);
  t.notRegex(html, /<input[^>]*name="variables.note"[^>]*\srequired/);
  const form = formOf(html, path);
  const rejected = await member.submit(form.path, withField(form.fields, 'variables.note', 'Kept'));
  t.is(rejected.status, 400);
  t.regex(
    rejected.html,
    /href="#field-variables-region"[^]*id="field-variables-region-error"[^]*Region: the template requires/,
  );
  t.regex(rejected.html, /id="field-variables-remote-error"/);
  t.regex(rejected.html, /value="Kept"/);
  t.is((await must(org.api.call('runs', 'counts'))).total, 0);
});

test('a launch without the CSRF token, of a draft, or of a foreign template starts nothing', async (t) => {
  const { org, member, path } = await setting();
  const form = formOf((await member.get(path)).html, path);
  t.is((await member.submit(path, withField(form.fields, 'csrf', 'x'))).status, 403);
  const draft = await must(org.api.call('templates', 'create', { body: { name: 'Draft' } }));
  t.is((await member.get(`/console/launch/${draft.id}`)).status, 400);
  const other = await setting();
  t.is((await member.get(other.path)).status, 404);
  t.is((await member.submit(other.path, form.fields)).status, 404);
  t.is((await must(org.api.call('runs', 'counts'))).total, 0);
});
