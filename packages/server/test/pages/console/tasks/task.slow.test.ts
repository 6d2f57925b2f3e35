import { accessibilityProblems, hasChromium, useBrowser } from '@runward/testing/browser';
import { newOrganization } from '@runward/testing/organization';
import { must } from '@runward/testing/process';
import { useSharedApp } from '@runward/testing/use-shared-app';
import test from 'ava';
import type { Page } from 'playwright-core';
import { beginTask } from '../../../support/console.ts';

const app = useSharedApp(test);
const visit = useBrowser(test);
const withChromium = hasChromium ? test.serial : test.serial.skip;

const options = (...labels: string[]) => labels.map((label) => ({ key: label.toLowerCase(), label }));

const fields = [
  { key: 'customer', label: 'Customer', type: 'TEXT' as const, required: true, helpText: 'As in the contract.' },
  { key: 'reason', label: 'Reason', type: 'LONG_TEXT' as const },
  { key: 'amount', label: 'Amount', type: 'NUMBER' as const, required: true },
  { key: 'mail', label: 'Email', type: 'EMAIL' as const },
  { key: 'visited', label: 'Visited', type: 'CHECKBOX' as const },
  { key: 'moment', label: 'Appointment', type: 'DATETIME' as const },
  { key: 'colour', label: 'Colour', type: 'DROPDOWN' as const, options: options('Red', 'Blue') },
  { key: 'extras', label: 'Extras', type: 'MULTI_SELECT' as const, options: options('Fast', 'Gift', 'Insured') },
  { key: 'person', label: 'Contact', type: 'USER' as const },
  { key: 'supplier', label: 'Supplier', type: 'DATA_SOURCE' as const },
  { key: 'papers', label: 'Papers', type: 'FILE_UPLOAD' as const },
  { key: 'signature', label: 'Signature', type: 'SIGNATURE' as const },
];

async function begin() {
  const org = await newOrganization(app, { timeZone: 'Europe/Berlin' });
  const limits = '| Suppliers outside of the European Union | Everybody else |\n|---|---|\n| 1 | 2 |';
  const description = `Check the **order** first:\n\n- customer\n- amount\n\n${limits}`;
  const begun = await beginTask(app, org, [
    { title: 'Check the order', description, assigneeId: org.ownerUserId, fields },
    { title: 'Pack', assigneeId: org.ownerUserId },
    { title: 'Report', approval: { allowSelfApproval: true }, fields: [{ label: 'Total', type: 'NUMBER' }] },
    { title: 'Notes', repeatable: true, fields: [{ label: 'Note', type: 'TEXT' }] },
  ]);
  return { org, ...begun };
}

async function signIn(page: Page, { org, path }: Awaited<ReturnType<typeof begin>>) {
  await page.goto(`${app.baseUrl}${path('Check the order')}`);
  await page.getByLabel('Email address').fill(org.ownerEmail);
  await page.getByLabel('Password').fill(org.ownerPassword);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Check the order' }).waitFor();
}

withChromium('a member fills in and completes a task without JavaScript', async (t) => {
  const begun = await begin();
  const work: Parameters<typeof visit>[1] = async (page) => {
    await signIn(page, begun);
    const file = { name: 'plan.txt', mimeType: 'text/plain', buffer: Buffer.from('plan') };
    await page.getByLabel('File for Papers').setInputFiles(file);
    await page.getByRole('button', { name: 'Upload for Papers' }).click();
    await page.getByRole('link', { name: 'plan.txt' }).waitFor();
    await page.getByLabel('Customer').fill('Ada & Co');
    await page.getByLabel('Amount').fill('twelve');
    await page.getByLabel('Visited').check();
    await page.getByLabel('Appointment').fill('2026-07-01T09:30');
    await page.getByLabel('Blue').check();
    await page.getByLabel('Gift').check();
    await page.getByLabel('Contact').selectOption({ label: 'Owner' });
    await page.getByRole('button', { name: 'Complete', exact: true }).click();
    await page.getByRole('alert').getByRole('link', { name: 'must be a number' }).click();
    t.is(await page.title(), 'Error: Check the order');
    t.is(await page.getByLabel('Customer').inputValue(), 'Ada & Co');
    await page.getByLabel('Amount').fill('12.5');
    await page.getByRole('button', { name: 'Complete', exact: true }).click();
    await page.getByRole('heading', { name: 'Pack' }).waitFor();
    await page.getByRole('status').getByText('The task is completed.').waitFor();
  };
  await visit(t, work, { javaScriptEnabled: false });
  const { papers, ...values } = await begun.values('Check the order');
  t.truthy(papers);
  t.deepEqual(values, {
    customer: 'Ada & Co',
    amount: 12.5,
    visited: true,
    moment: '2026-07-01T07:30:00.000Z',
    colour: 'blue',
    extras: ['gift'],
    person: begun.org.ownerUserId,
  });
});

for (const colorScheme of ['light', 'dark'] as const) {
  withChromium(`the page of a task is accessible and fits every width with ${colorScheme} colours`, async (t) => {
    const begun = await begin();
    const work: Parameters<typeof visit>[1] = async (page) => {
      await signIn(page, begun);
      for (const state of ['form', 'errors', 'completed', 'entries', 'approval', 'ended', 'resumed']) {
        if (state === 'errors') await page.getByRole('button', { name: 'Complete', exact: true }).click();
        if (state === 'completed') {
          const params = { taskId: begun.taskId('Check the order') };
          await must(begun.org.api.call('runs.tasks', 'setStatus', { params, body: { status: 'COMPLETED' } }));
          await page.goto(`${app.baseUrl}${begun.path('Check the order')}`);
        }
        if (state === 'entries') {
          await page.goto(`${app.baseUrl}${begun.path('Notes')}`);
          await page.getByLabel('Note').fill('One');
          await page.getByRole('button', { name: 'Save', exact: true }).click();
          await page.getByText('Your answers are saved').waitFor();
        }
        if (state === 'approval') {
          await page.goto(`${app.baseUrl}${begun.path('Report')}`);
          await page.getByLabel('Total').fill('7');
          await page.getByRole('button', { name: 'Request approval' }).click();
          await page.getByLabel(/^Comment \(/).waitFor();
          await page.getByText('Activity of this task').click();
        }
        if (state === 'ended') {
          await page.context().clearCookies({ name: 'flow_session' });
          await page.getByLabel('Total').fill('8');
          await page.getByRole('button', { name: 'Save', exact: true }).click();
          await page.getByRole('heading', { name: 'Sign in' }).waitFor();
        }
        if (state === 'resumed') {
          await page.getByLabel('Email address').fill(begun.org.ownerEmail);
          await page.getByLabel('Password').fill(begun.org.ownerPassword);
          await page.keyboard.press('Enter');
          await page.getByRole('heading', { name: 'You are signed in again' }).waitFor();
        }
        await page.waitForLoadState();
        for (const width of [375, 768, 1440]) {
          await page.setViewportSize({ width, height: 900 });
          const shots = process.env['SHOTS'];
          if (shots !== undefined)
            await page.screenshot({ path: `${shots}/task-${state}-${colorScheme}-${width}.png`, fullPage: true });
          t.true(await page.evaluate(`document.documentElement.scrollWidth <= ${width}`), `${state} at ${width}`);
        }
        t.deepEqual(await accessibilityProblems(page), [], state);
      }
    };
    await visit(t, work, { colorScheme });
  });
}
