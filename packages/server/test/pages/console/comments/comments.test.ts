import { addMember } from '@runward/testing/members';
import { newOrganization, type TestOrganization } from '@runward/testing/organization';
import { fieldsOf, newClient } from '@runward/testing/page-client';
import { launchRun, must, publishProcess } from '@runward/testing/process';
import { useSharedApp } from '@runward/testing/use-shared-app';
import test from 'ava';

const app = useSharedApp(test);

const idIn = (location: string | null) => /#comment-([\w-]+)/.exec(location ?? '')?.[1] ?? '';

/** A run, and a member who has signed in to the console. */
async function scene(org?: TestOrganization) {
  const organization = org ?? (await newOrganization(app));
  const owner = await organization.session();
  const { templateId } = await publishProcess(organization.api, [{ title: 'Pack <b>' }]);
  const run = await launchRun(organization.api, templateId);
  const { runTaskId } = run.byTitle('Pack <b>');
  const signIn = async (email: string, password: string) => {
    const client = newClient(app);
    await client.signIn(email, password);
    const { csrf = '' } = fieldsOf((await client.get(`/console/runs/${run.id}`)).html);
    return { ...client, post: (path: string, text: string) => client.submit(path, { csrf, text }) };
  };
  return {
    org: organization,
    owner,
    run: `/console/runs/${run.id}`,
    runId: run.id,
    task: `/console/tasks/${runTaskId}`,
    asOwner: () => signIn(organization.ownerEmail, organization.ownerPassword),
    asMember: async (name: string) => {
      const { id, email, password } = await addMember(app.baseUrl, owner, { name });
      return { id, ...(await signIn(email, password)) };
    },
  };
}

test('a comment is shown on the run and the task, as safe Markdown, with whom it names', async (t) => {
  const { owner, run, runId, org, task, asMember } = await scene();
  const grace = await asMember('Grace <i>');
  const { id: ada } = await addMember(app.baseUrl, owner, { name: 'Ada' });
  const { id: lovelace } = await addMember(app.baseUrl, owner, { name: 'Ada Lovelace' });
  const { id: drivers } = await must(owner.call('groups', 'create', { body: { name: 'Drivers' } }));

  t.regex((await grace.get(run)).html, /<h2 id="comments">Comments<\/h2>/);
  const sent = await grace.post(
    `${task}/comments`,
    '**Who** has it, @Ada Lovelace or @Drivers? <script>alert(1)</script>',
  );
  t.is(sent.status, 303);
  const location = sent.headers.get('location') ?? '';
  t.true(location.startsWith(`${task}?notice=commented#comment-`));
  for (const page of [task, run, `${run}/comments`, `${task}/comments`]) {
    const { html } = await grace.get(page);
    t.regex(html, /Grace &lt;i&gt;[^]*<strong>Who<\/strong>[^]*&lt;script&gt;alert/);
    t.regex(html, /Mentions <bdi>Ada Lovelace, Drivers<\/bdi>/);
  }
  t.regex((await grace.get(run)).html, /on <a href="\/console\/tasks\/[\w-]+">Pack &lt;b&gt;<\/a>/);
  const list = await must(org.api.call('runs.comments', 'list', { params: { id: runId } }));
  t.deepEqual(list.data[0]?.mentions, { userIds: [lovelace], groupIds: [drivers] });

  await grace.post(`${run}/comments`, 'Not @Adam, me@Ada and @Nobody, but @Ada.');
  const { data } = await must(org.api.call('runs.comments', 'list', { params: { id: runId } }));
  t.deepEqual(data[1]?.mentions, { userIds: [ada], groupIds: [] });
});

test('an author edits and deletes a comment, and others are not offered what they may not do', async (t) => {
  const { org, runId, run, asMember, asOwner } = await scene();
  const [grace, linus, owner] = [await asMember('Grace'), await asMember('Linus'), await asOwner()];
  const id = idIn((await grace.post(`${run}/comments`, 'For @Grace')).headers.get('location'));
  const path = `/console/comments/${id}`;

  t.false((await linus.get(run)).html.includes(path));
  const forOwner = (await owner.get(run)).html;
  t.false(forOwner.includes(`href="${path}"`));
  t.true(forOwner.includes(`href="${path}/delete"`));

  t.regex((await grace.get(path)).html, /<textarea[^>]*>\s*For @Grace<\/textarea>/);
  t.is((await grace.post(path, 'For no one')).status, 303);
  const { data } = await must(org.api.call('runs.comments', 'list', { params: { id: runId } }));
  t.like(data, [{ text: 'For no one', mentions: { userIds: [], groupIds: [] } }]);
  t.regex((await grace.get(run)).html, /Edited/);

  const refused = await linus.post(path, 'Mine <b>');
  t.is(refused.status, 403);
  t.regex(refused.html, /You can only edit your own comments[^]*Mine &lt;b&gt;/);
  t.is((await linus.post(`${path}/delete`, '')).status, 403);

  t.regex((await owner.get(`${path}/delete`)).html, /For no one[^]*Delete the comment/);
  t.is((await owner.post(`${path}/delete`, '')).status, 303);
  t.false((await grace.get(run)).html.includes('For no one'));
});

test('a mention that a program added without a name survives an edit in the console', async (t) => {
  const { org, runId, asOwner, owner } = await scene();
  const { id: ada } = await addMember(app.baseUrl, owner, { name: 'Ada' });
  const body = { text: 'Look', mentions: { userIds: [ada] } };
  const { id } = await must(org.api.call('runs.comments', 'create', { params: { id: runId }, body }));
  const client = await asOwner();
  t.is((await client.post(`/console/comments/${id}`, 'Look there')).status, 303);
  const params = { commentId: id };
  t.deepEqual((await must(org.api.call('runs.comments', 'get', { params }))).mentions.userIds, [ada]);
});

test('a text that cannot be accepted, or whose run is gone, is still there', async (t) => {
  const { run, task, asMember } = await scene();
  const grace = await asMember('Grace');
  const long = `Long <b>${'x'.repeat(20_480)}`;
  for (const path of [`${run}/comments`, `${task}/comments`]) {
    const { status, html } = await grace.post(path, long);
    t.is(status, 400);
    t.regex(html, /href="#comment-text"[^]*must be at most 20480 bytes[^]*Long &lt;b&gt;xxx/);
    t.regex((await grace.post(path, ' ')).html, /must not be empty/);
  }
  const id = idIn((await grace.post(`${run}/comments`, 'One')).headers.get('location'));
  const edited = await grace.post(`/console/comments/${id}`, long);
  t.is(edited.status, 400);
  t.regex(edited.html, /must be at most 20480 bytes[^]*Long &lt;b&gt;xxx/);

  const foreign = await scene();
  for (const path of [`${foreign.run}/comments`, `${foreign.task}/comments`, `/console/comments/${foreign.runId}`]) {
    const { status, html } = await grace.post(path, 'Keep <b> this');
    t.is(status, 404);
    t.regex(html, /Nothing was saved[^]*Keep &lt;b&gt; this/);
    t.is((await grace.get(path)).status, 404);
  }
});

test('a text of a member who may not comment any more is still there', async (t) => {
  const { run, task, owner, asMember } = await scene();
  const grace = await asMember('Grace');
  await must(owner.call('users', 'update', { params: { id: grace.id }, body: { role: 'VIEWER' } }));
  for (const path of [`${run}/comments`, `${task}/comments`]) {
    const { status, html } = await grace.post(path, 'Keep <b> this');
    t.is(status, 403);
    t.regex(html, /role VIEWER may not do this[^]*Nothing was saved[^]*Keep &lt;b&gt; this/);
  }
});

test('a form with a forged token changes nothing, and keeps the text', async (t) => {
  const { run, asMember } = await scene();
  const grace = await asMember('Grace');
  const { status, html } = await grace.submit(`${run}/comments`, { csrf: 'forged', text: 'Keep this' });
  t.is(status, 403);
  t.regex(html, /Keep this/);
  t.false((await grace.get(run)).html.includes('Keep this'));
});

test('a long conversation shows its newest page first, with the way to earlier comments', async (t) => {
  const { org, run, runId, asOwner } = await scene();
  for (let index = 1; index <= 52; index += 1) {
    const body = { text: `Comment number ${index}.` };
    await must(org.api.call('runs.comments', 'create', { params: { id: runId }, body }));
  }
  const client = await asOwner();
  const { html } = await client.get(run);
  t.regex(html, /Comment number 3\.[^]*Comment number 52\./);
  t.false(html.includes('Comment number 2.'));
  const [, earlier = ''] = /href="([^"]*\?cursor=[^"]*)">Earlier comments/.exec(html) ?? [];
  t.true(earlier.startsWith(`${run}/comments?`));
  const first = (await client.get(earlier)).html;
  t.regex(first, /Comment number 1\.[^]*Comment number 2\.[^]*Newest comments/);
  t.false(first.includes('Comment number 3.'));
});
