import { newOrganization } from '@runward/testing/organization';
import { newClient } from '@runward/testing/page-client';
import { launchRun, must, publishProcess } from '@runward/testing/process';
import { useSharedApp } from '@runward/testing/use-shared-app';
import test from 'ava';

const app = useSharedApp(test);

async function setting() {
  const org = await newOrganization(app);
  const { templateId } = await publishProcess(org.api, undefined, { name: 'Onboarding <b>' });
  const client = newClient(app);
  await client.signIn(org.ownerEmail, org.ownerPassword);
  const search = async (text: string) => client.get(`/console/search?${new URLSearchParams({ q: text }).toString()}`);
  return { org, templateId, client, search };
}

test('a text finds runs by title, templates by name and members by name and address', async (t) => {
  const { org, templateId, search } = await setting();
  const run = await launchRun(org.api, templateId, { title: 'Laptop & <onboard>' });
  const member = await org.member('Onboarder <i>');
  const { status, html } = await search(' onboard ');
  t.is(status, 200);
  t.regex(html, /<h1>Search for “onboard”<\/h1>/);
  t.regex(html, new RegExp(`/console/runs/${run.id}"><bdi>Laptop &amp; &lt;onboard&gt;[^]*${run.publicId}`));
  t.regex(html, new RegExp(`/console/launch/${templateId}"><bdi>Onboarding &lt;b&gt;`));
  t.regex(html, new RegExp(`/console/runs\\?ownerUserIds=${member.id}"><bdi>Onboarder &lt;i&gt;`));
  t.true((await search(member.email)).html.includes(member.id));
  t.regex((await search('<script>"')).html, /value="&lt;script&gt;&quot;"/);
});

test('at most 10 of a kind are shown, with a way to all of them', async (t) => {
  const { org, templateId, client, search } = await setting();
  const runs = Array.from({ length: 12 }, (_, index) => ({ templateId, title: `Pens & paper ${index}` }));
  await must(org.api.call('runs', 'bulkLaunch', { body: { runs } }));
  for (const { title } of runs.slice(1)) await org.member(title);
  const { html } = await search('Pens & paper');
  t.is([...html.matchAll(/<li>\s*<a href="\/console\/runs\//g)].length, 10);
  t.regex(html, /href="\/console\/runs\?search=Pens\+%26\+paper">Show all 12</);
  const [, all = ''] = /href="(\/console\/search[^"]*)">Show all 11</.exec(html) ?? [];
  t.is([...(await client.get(all.replaceAll('&amp;', '&'))).html.matchAll(/ownerUserIds=/g)].length, 11);
});

test('the public id of a run leads to it in any case and also if it is archived, but not to one of another organization', async (t) => {
  const { org, templateId, search } = await setting();
  const run = await launchRun(org.api, templateId);
  await must(org.api.call('runs', 'cancel', { params: { id: run.id } }));
  await must(org.api.call('runs', 'archive', { body: { runIds: [run.id] } }));
  for (const text of [run.publicId, ` ${run.publicId.toLowerCase()} `]) {
    const { status, headers } = await search(text);
    t.deepEqual([status, headers.get('location')], [303, `/console/runs/${run.id}`]);
  }
  const { status, html } = await (await setting()).search(run.publicId);
  t.is(status, 200);
  t.regex(html, /No run, template or member has this/);
});

test('a search without a text says what it finds, and one without results where else to look', async (t) => {
  const { search } = await setting();
  t.regex((await search(' ')).html, /Enter a part of the title/);
  t.regex((await search('nowhere')).html, /\/console\/runs\?search=nowhere&amp;archived=true/);
  const { status, html } = await search('x'.repeat(256));
  t.is(status, 400);
  t.regex(html, /at most 255 characters/);
});
