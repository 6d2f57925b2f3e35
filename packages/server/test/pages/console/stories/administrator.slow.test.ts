import { createHmac, randomUUID } from 'node:crypto';
import { apiOf } from '@runward/testing/api';
import { useApp } from '@runward/testing/app';
import { hasChromium, useBrowser } from '@runward/testing/browser';
import { secrets } from '@runward/testing/checks/secrets';
import { newOrganization } from '@runward/testing/organization';
import { must, publishProcess } from '@runward/testing/process';
import { startReceiver, type TestReceiver } from '@runward/testing/receiver';
import { until } from '@runward/testing/until';
import test from 'ava';
import type { Page } from 'playwright-core';
import { atConsole } from '../../../support/stories/at-console.ts';

/** A schedule with one attempt, so that a failure is final. */
const app = useApp(test, { retrySchedule: [0] });
const visit = useBrowser(test);
const withChromium = hasChromium ? test.serial : test.serial.skip;

async function administrator() {
  const org = await newOrganization(app);
  const { templateId } = await publishProcess(org.api, undefined, { name: 'Supplier onboarding' });
  const deliveries = async () => (await must(org.api.call('webhooks', 'deliveries', {}))).data;
  return {
    login: { email: org.ownerEmail, password: org.ownerPassword },
    session: await org.session(),
    deliveries,
    /** Launches a run with a key. */
    launch: (key: string) => apiOf(app.baseUrl, key).call('runs', 'launch', { body: { templateId } }),
    untilDelivered: (status: string) =>
      until(async () => (await deliveries()).every((each) => each.status === status), `${status} deliveries`),
  };
}

/** The signature that the newest request has to have, by a secret. */
function signedBy(secret: string, { received }: TestReceiver) {
  const newest = received.at(-1);
  const header = (name: string) => newest?.headers[`x-flow-${name}`];
  const expected = createHmac('sha256', secret)
    .update(`${String(header('timestamp'))}.${newest?.body ?? ''}`)
    .digest('hex');
  return { isCurrent: header('signature') === expected, isPrevious: header('signature-previous') === expected };
}

/** Reads a field that one has to unfold. */
async function unfolded(page: Page, summary: string, label: string): Promise<string> {
  await page.getByText(summary).click();
  const value = await page.getByLabel(label, { exact: true }).inputValue();
  secrets.remember(value);
  return value;
}

for (const hasScripts of [true, false]) {
  const how = hasScripts ? 'with scripts' : 'without scripts';
  withChromium(`an administrator creates a key and a webhook, and mends a failed delivery, ${how}`, async (t) => {
    const { login, session, deliveries, launch, untilDelivered } = await administrator();
    let works = false;
    await using receiver = await startReceiver(() =>
      works ? 200 : (response) => response.writeHead(500).end('The ledger is closed for maintenance.'),
    );
    const work: Parameters<typeof visit>[1] = async (page) => {
      const { signIn, open, goTo, follow, press, reads, isTold, picture } = atConsole(app, page);
      await signIn(login);
      await picture('overview-empty');

      await goTo('Settings');
      await goTo('API keys');
      await follow('Create a key');
      await page.getByLabel('Name').fill('Supplier portal');
      await page.getByLabel('Launch runs').check();
      await press('Create the key');
      const key = await page.getByLabel('The key').inputValue();
      secrets.remember(key);
      const copy = page.getByRole('button', { name: 'Copy' });
      t.is(await copy.isVisible(), hasScripts);
      if (hasScripts) {
        await copy.click();
        await page.getByRole('button', { name: 'Copied' }).waitFor();
        t.is(await page.evaluate('navigator.clipboard.readText()'), key);
      }
      await picture('key');
      await follow('I have copied it');
      await page.getByText('Supplier portal').first().waitFor();
      t.is(
        await page
          .getByText(key)
          .or(page.locator(`[value="${key}"]`))
          .count(),
        0,
        'it is shown only once',
      );
      await picture('keys');

      await goTo('Webhooks');
      await follow('Create a webhook');
      await page.getByLabel('Name').fill('Ledger');
      await page.getByLabel('Address').fill(receiver.url);
      await page.getByLabel('A run is launched').check();
      await picture('webhook-form');
      await press('Create the webhook');
      await isTold('The webhook is created.');
      await picture('webhook');

      t.is((await launch(key)).status, 201);
      await receiver.wait(1);
      await untilDelivered('FAILED');
      await open();
      await reads('Failed deliveries 1');
      await picture('overview');
      await follow('Ledger');
      await page.getByText('Show it').click();
      await page.getByText('The ledger is closed for maintenance.').waitFor();
      const sent = await page.getByRole('region', { name: 'Body of the request' }).locator('pre').textContent();
      t.deepEqual(JSON.parse(sent ?? ''), JSON.parse(receiver.received[0]?.body ?? ''));
      await picture('delivery-failed');
      works = true;
      await press('Resend');
      await isTold('The delivery is sent again.');
      await untilDelivered('SUCCEEDED');
      t.is(receiver.received[1]?.body, receiver.received[0]?.body);
      await page.reload();
      await page.getByText('Succeeded').waitFor();
      await picture('delivery-succeeded');
      t.is((await deliveries()).length, 1);
      await open();
      await page.getByText('Nothing needs attention.').waitFor();

      await goTo('Settings');
      await goTo('Signing secret');
      const first = await unfolded(page, 'Show the secret', 'The secret');
      await page.getByLabel('Hours').fill('48');
      await press('Rotate the secret');
      await isTold('The secret is new.');
      const second = await unfolded(page, 'Show the secret', 'The secret');
      t.is(await unfolded(page, 'Show the previous secret', 'The previous secret'), first);
      await picture('secret');
      t.is((await must(session.call('organization', 'signingSecret'))).secret, second);
      await launch(key);
      await receiver.wait(3);
      t.true(signedBy(second, receiver).isCurrent);
      t.true(signedBy(first, receiver).isPrevious);

      await goTo('API keys');
      await follow('Revoke Supplier portal');
      await press('Revoke the key');
      await isTold('The key is revoked.');
      t.is((await launch(key)).status, 401);
    };
    const permissions = ['clipboard-read', 'clipboard-write'];
    await visit(t, work, { javaScriptEnabled: hasScripts, permissions });
  });

  withChromium(`a member who is added can sign in until they are deactivated, ${how}`, async (t) => {
    const { login, session } = await administrator();
    const member = { email: `${randomUUID()}@example.com`, password: randomUUID() };
    secrets.remember(member.password);
    const options = { javaScriptEnabled: hasScripts };
    const status = async () => {
      const { data } = await must(session.call('users', 'list', { query: { email: member.email, status: 'ALL' } }));
      return data[0]?.status;
    };
    const work: Parameters<typeof visit>[1] = async (page) => {
      const { signIn, goTo, follow, press, isTold, picture } = atConsole(app, page);
      await signIn(login, '/members');
      await follow('Add a member');
      await page.getByLabel('Name').fill('Alan Turing');
      await page.getByLabel('Email address').fill(member.email);
      await page.getByLabel('Password').fill(member.password);
      await picture('add-member');
      await press('Add the member');
      await isTold('The member can sign in now.');
      await picture('member');
      t.is(await status(), 'ACTIVE');
      await visit(
        t,
        async (other) => {
          const theirs = atConsole(app, other);
          await theirs.signIn(member);
          await theirs.reads('Tasks');
          t.is(await other.getByRole('link', { name: 'Overview' }).count(), 0);
          await theirs.picture('new-member');

          await follow('Deactivate…');
          await picture('deactivation');
          await press('Deactivate the member');
          await isTold('The member is deactivated.');
          await goTo('Members');
          t.is(await page.getByText('Alan Turing').count(), 0);
          t.is(await status(), 'DEACTIVATED');

          await theirs.goTo('Runs');
          await theirs.reads('Sign in');
          await other.getByLabel('Email address').fill(member.email);
          await other.getByLabel('Password').fill(member.password);
          await theirs.press('Sign in');
          await other.getByRole('alert').waitFor();
          await theirs.picture('deactivated');
        },
        options,
      );
    };
    await visit(t, work, options);
  });
}
