import { newOrganization } from '@runward/testing/organization';
import { formWith, newClient } from '@runward/testing/page-client';
import { launchRun, publishProcess } from '@runward/testing/process';
import { startReceiver, type Reply } from '@runward/testing/receiver';
import { until } from '@runward/testing/until';
import { useSharedApp } from '@runward/testing/use-shared-app';
import { haveFailed } from '@runward/testing/webhooks/failed-deliveries';
import test from 'ava';
import { formOf, withField } from '../../../support/form-of.ts';

const app = useSharedApp(test);
const hostile = `<b>"'&amp;`;
const shown = '&lt;b&gt;&quot;&#39;&amp;amp;';

/** An administrator who creates a webhook in the console. */
async function administratorWith(reply: Reply) {
  const receiver = await startReceiver(reply);
  const org = await newOrganization(app);
  const client = newClient(app);
  await client.signIn(org.ownerEmail, org.ownerPassword);
  const { path, fields } = formOf((await client.get('/console/webhooks/new')).html, '/new');
  const created = await client.submit(path, [
    ...withField(withField(fields, 'name', 'Payroll'), 'url', receiver.url),
    ['enabledEvents', 'run.started'],
  ]);
  const hook = (created.headers.get('location') ?? '').replace(/\?.*/, '');
  const { templateId } = await publishProcess(org.api);
  return {
    client,
    hook,
    receiver,
    launch: () => launchRun(org.api, templateId),
    hasFailed: (count: number) => haveFailed(app, hook.slice(hook.lastIndexOf('/') + 1), count),
    /** Opens a page until it shows something. */
    see: (page: string, text: RegExp) =>
      until(async () => {
        const { html } = await client.get(page);
        return text.test(html) && html;
      }, `${page} to show ${text}`),
    /** Sends the form of a page whose action ends with a text, and returns where it leads. */
    press: async (page: string, action: string) => {
      const form = formOf((await client.get(page)).html, action);
      return (await client.submit(form.path, form.fields)).headers.get('location') ?? '';
    },
    api: org.api,
  };
}

const linkTo = (html: string, pattern: RegExp) => pattern.exec(html)?.[1] ?? '';

test('an administrator finds a failed delivery with its attempt, mends the receiver and resends it', async (t) => {
  let works = false;
  const { client, hook, receiver, launch, hasFailed, see, press } = await administratorWith(() =>
    works ? 200 : (response) => response.writeHead(500).end(`Out of order ${hostile}`),
  );
  await using _ = receiver;
  const run = await launch();
  await hasFailed(1);
  const list = await see(`${hook}?status=FAILED`, /status failed/);
  t.regex(list, /1 delivery<[^]*run\.started[^]*1, last: 500/);
  t.regex((await client.get('/console/webhooks/deliveries?status=FAILED')).html, /1 delivery<[^]*Payroll/);

  const delivery = linkTo(list, /href="([^"]*\/deliveries\/[^"]+)"/);
  const failed = (await client.get(delivery)).html;
  t.regex(failed, /<h1>Delivery of run\.started<\/h1>[^]*status failed[^]*A run is launched[^]*500[^]* ms/);
  t.true(failed.includes(`Out of order ${shown}`), 'the body of the response');
  t.true(failed.includes(`&quot;runId&quot;: &quot;${run.id}&quot;`), 'the body of the request');

  works = true;
  t.is(await press(delivery, '/resend'), `${delivery}?notice=resent`);
  const delivered = await see(delivery, /status succeeded/);
  t.regex(delivered, />\s*200\s*<[^]*>\s*500\s*</, 'newest first');
  t.is(new Set(receiver.received.map(({ body }) => body)).size, 1);
});

test('the failed deliveries of a period are counted first, and only those are sent again', async (t) => {
  let works = false;
  const { client, hook, receiver, launch, hasFailed, see, press } = await administratorWith(() => (works ? 200 : 500));
  await using _ = receiver;
  await launch();
  await hasFailed(1);
  await launch();
  await hasFailed(2);
  await see(`${hook}?status=FAILED`, /2 deliveries</);
  t.regex((await client.get(hook)).html, /Replay the failed ones…/);
  const question = await client.get(`${hook}/replay`);
  t.regex(question.html, /<button type="submit">Replay 2 failed deliveries<\/button>/);
  t.regex(
    (await client.get(`${hook}/replay?from=2026-01-01T00:00&to=2026-01-02T00:00`)).html,
    /No delivery .* has failed/,
  );
  for (const [query, message] of [
    ['from=', /From: enter since when/],
    ['from=yesterday', /From: must be a date with a time that clocks in UTC show/],
    ['from=2026-01-02T00:00&to=2026-01-01T00:00', /href="#to">Before: must be later than from/],
  ] as const) {
    const { status, html } = await client.get(`${hook}/replay?${query}`);
    t.is(status, 400, query);
    t.regex(html, message);
    t.notRegex(html, /name="count"/);
  }

  await launch();
  await hasFailed(3);
  await see(`${hook}?status=FAILED`, /3 deliveries</);
  const { action, fields } = formWith(question.html, 'name="count"');
  const again = await client.submit(action, fields);
  t.regex(again.html, /Replay 3 failed deliveries/, 'it asks again, because the number has changed');
  t.is(receiver.received.length, 3);

  works = true;
  const form = formWith(again.html, 'name="count"');
  const sent = await client.submit(form.action, form.fields);
  t.is(sent.headers.get('location'), `${hook}?notice=replayed`);
  await see(`${hook}?status=SUCCEEDED`, /3 deliveries</);
  t.is(await press(hook, '/enabled'), `${hook}?notice=webhookDisabled`);
  t.notRegex((await client.get(hook)).html, /Replay the failed/);
});

test('a test leads to its delivery, also of a disabled webhook, and says that it is one', async (t) => {
  const { client, hook, receiver, launch, see, press } = await administratorWith(() => 200);
  await using _ = receiver;
  await launch();
  await see(`${hook}?status=SUCCEEDED`, /1 delivery</);
  await press(hook, '/enabled');
  const location = await press(hook, '/test');
  t.regex(location, /\/deliveries\/[\w-]+\?notice=tested$/);
  const html = await see(location, /status succeeded/);
  t.regex(html, /The test is on its way[^]*A test: it did not happen[^]*\/resend"/);
  t.is(receiver.received.length, 2);

  const real = linkTo((await client.get(hook)).html, /<tbody[^]*<a href="([^"]*\/deliveries\/[^"]+)"/);
  t.regex((await client.get(real)).html, /The webhook is disabled, so nothing is sent/);
  const { csrf = '' } = Object.fromEntries(formOf((await client.get(hook)).html, '/test').fields);
  const tried = await client.submit(`${real}/resend`, { csrf });
  t.is(tried.status, 400);
  t.regex(tried.html, /There is a problem[^]*The webhook is disabled and receives no deliveries; enable it first/);
});
