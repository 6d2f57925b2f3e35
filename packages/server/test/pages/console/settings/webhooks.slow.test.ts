import { useApp } from '@runward/testing/app';
import { hasChromium, useBrowser } from '@runward/testing/browser';
import { newOrganization } from '@runward/testing/organization';
import { launchRun, must, publishProcess } from '@runward/testing/process';
import { startReceiver } from '@runward/testing/receiver';
import { until } from '@runward/testing/until';
import test from 'ava';
import type { Page } from 'playwright-core';
import { checkScreens } from '../../../support/stories/check-screens.ts';

/** A schedule with one attempt, so that a failure is final. */
const app = useApp(test, { retrySchedule: [0] });
const visit = useBrowser(test);
const withChromium = hasChromium ? test.serial : test.serial.skip;

for (const colorScheme of ['light', 'dark'] as const) {
  withChromium(`an administrator mends a delivery and rotates the secret, accessible in ${colorScheme}`, async (t) => {
    const { ownerEmail, ownerPassword, api } = await newOrganization(app, { timeZone: 'Europe/Berlin' });
    const { templateId } = await publishProcess(api, undefined, { name: 'Supplier onboarding' });
    for (const name of ['Payroll correction', 'Yearly safety inspection'])
      await publishProcess(api, undefined, { name });
    let works = false;
    await using receiver = await startReceiver(() =>
      works ? 200 : (response) => response.writeHead(500).end('{"error": "The ledger is closed for maintenance."}'),
    );
    const check = checkScreens(t, colorScheme);
    const button = async (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
    await visit(
      t,
      async (page) => {
        await page.goto(`${app.baseUrl}/console/webhooks`);
        await page.getByLabel('Email address').fill(ownerEmail);
        await page.getByLabel('Password').fill(ownerPassword);
        await button(page, 'Sign in');
        await check(page, 'webhooks-empty');
        await page.getByRole('link', { name: 'Create a webhook' }).click();
        await page.getByLabel('Name').fill('Payroll');
        await page.getByLabel('Address').fill('ftp://payroll.example.com');
        await page.getByLabel('A run is launched').check();
        await button(page, 'Create the webhook');
        await page.getByRole('alert').waitFor();
        await check(page, 'webhook-form');
        await page.getByLabel('Address').fill(receiver.url);
        await page.getByLabel('A task passes its deadline').check();
        await page.getByLabel('Supplier onboarding').check();
        await page.getByLabel('One delivery at a time, in the order of events').check();
        await button(page, 'Create the webhook');
        await page.getByText('The webhook is created.').waitFor();

        await launchRun(api, templateId);
        await launchRun(api, templateId);
        const failed = async () =>
          (await must(api.call('webhooks', 'deliveries', { query: { status: 'FAILED' } }))).total === 2;
        await until(failed, 'the failures');
        await page.reload();
        await check(page, 'webhook');
        await page.getByRole('link', { name: 'Replay the failed ones…' }).click();
        await check(page, 'webhook-replay');
        await page.getByRole('link', { name: 'Payroll' }).click();
        await page.getByRole('link', { name: 'run.started' }).first().click();
        await page.getByText('Show it').click();
        await page.getByText('The ledger is closed').waitFor();
        await check(page, 'delivery');
        works = true;
        await button(page, 'Resend');
        await page.getByText('The delivery is sent again.').waitFor();
        await until(async () => {
          await page.reload();
          return page.getByText('Succeeded').isVisible();
        }, 'the delivery');

        await page.getByRole('navigation', { name: 'Settings' }).getByRole('link', { name: 'Webhooks' }).click();
        await check(page, 'webhooks');
        await page.getByRole('link', { name: 'All deliveries' }).click();
        await page.getByLabel('Status').selectOption('FAILED');
        await button(page, 'Filter');
        await check(page, 'deliveries');
        await page.goBack();
        await page.getByRole('link', { name: 'Payroll' }).first().click();
        await page.getByRole('link', { name: 'Delete…' }).click();
        await check(page, 'webhook-delete');

        await page.getByRole('link', { name: 'Signing secret' }).click();
        await page.getByText('Show the secret').click();
        const secret = await page.getByLabel('The secret', { exact: true }).inputValue();
        await check(page, 'secret');
        await button(page, 'Rotate the secret');
        await page.getByText('The secret is new.').waitFor();
        await page.getByText('Show the previous secret').click();
        t.is(await page.getByLabel('The previous secret').inputValue(), secret);
        await check(page, 'secret-overlap');
        await button(page, 'End both, and make a new secret…');
        await check(page, 'secret-rotate');
      },
      { colorScheme },
    );
  });
}
