import { accessibilityProblems, hasChromium, useBrowser } from '@runward/testing/browser';
import { newOrganization } from '@runward/testing/organization';
import { launchRun, must, publishProcess } from '@runward/testing/process';
import { useSharedApp } from '@runward/testing/use-shared-app';
import test, { type ExecutionContext } from 'ava';
import type { Page } from 'playwright-core';
import { submitSignIn } from '../../../support/stories/submit-sign-in.ts';

const app = useSharedApp(test);
const visit = useBrowser(test);
const withChromium = hasChromium ? test.serial : test.serial.skip;

async function setting() {
  const org = await newOrganization(app, { timeZone: 'Europe/Berlin' });
  const { templateId } = await publishProcess(
    org.api,
    [
      { title: 'Sign the contract', fields: [{ key: 'name', label: 'Full name', type: 'TEXT', required: true }] },
      { title: 'Order a laptop' },
    ],
    { name: 'Onboarding', description: 'All that a new colleague needs in the first week.' },
    [
      { key: 'country', name: 'Country', type: 'TEXT', description: 'Where the colleague works.' },
      { key: 'seats', name: 'Seats', type: 'NUMBER', searchable: true },
      { key: 'remote', name: 'Works remotely', type: 'BOOLEAN' },
    ],
  );
  for (const title of ['Grace Hopper', 'Katherine Johnson, Research and Development', 'Annie Easley']) {
    await launchRun(org.api, templateId, { title });
  }
  const late = await launchRun(org.api, templateId, { title: 'Margaret Hamilton' });
  const params = { taskId: late.byTitle('Order a laptop').runTaskId };
  await must(org.api.call('runs.tasks', 'setDueDate', { params, body: { dueAt: '2026-01-01T10:00:00Z' } }));
  return { org, templateId };
}

/** Launches a run, with an error at first, looks at it, finds it in the list and cancels it there. */
async function walk(t: ExecutionContext, page: Page, check: (name: string) => Promise<void>): Promise<void> {
  const { org } = await setting();
  await page.goto(`${app.baseUrl}/console/launch`);
  await submitSignIn(page, { email: org.ownerEmail, password: org.ownerPassword });
  await check('templates');
  await page.getByRole('link', { name: 'Onboarding' }).click();
  await page.getByLabel('Seats').fill('many');
  await page.getByLabel('Title').fill('Ada Lovelace');
  await page.getByRole('button', { name: 'Launch' }).click();
  await page.waitForLoadState();
  t.is(await page.title(), 'Error: Launch Onboarding');
  await check('launch');
  await page.getByLabel('Seats').fill('12');
  await page.getByRole('button', { name: 'Launch' }).click();
  t.is(await page.getByRole('heading', { level: 1 }).textContent(), 'Ada Lovelace');
  await check('run');
  await page.getByRole('link', { name: 'Runs', exact: true }).click();
  await check('list');
  await page.getByLabel('Title contains').fill('ada');
  await page.getByRole('button', { name: 'Filter' }).click();
  await page.waitForLoadState();
  t.is(await page.getByRole('rowheader').count(), 1);
  await page.getByRole('checkbox', { name: 'Choose Ada Lovelace' }).check();
  await page.getByRole('button', { name: 'Cancel…' }).click();
  await check('bulk');
  await page.getByRole('button', { name: 'Cancel 1 run' }).click();
  await check('report');
  await page.getByRole('link', { name: 'Ada Lovelace' }).click();
  await page.waitForLoadState();
  t.true(await page.getByRole('button', { name: 'Reopen' }).isVisible());
}

withChromium('without scripts, one launches a run, sees it, finds it in the list and cancels it there', async (t) => {
  await visit(t, async (page) => walk(t, page, async () => {}), { javaScriptEnabled: false });
});

for (const colorScheme of ['light', 'dark'] as const) {
  withChromium(`the pages are accessible, and fit screens of 375 to 1440 px, ${colorScheme}`, async (t) => {
    const check = async (page: Page, name: string) => {
      await page.waitForLoadState();
      for (const width of [375, 640, 767, 768, 961, 1440]) {
        await page.setViewportSize({ width, height: 900 });
        const shown = await page.evaluate<number>('document.documentElement.scrollWidth');
        t.true(shown <= width, `${name} at ${width} px is ${shown} px wide`);
        if (process.env['SHOTS']) {
          const path = `${process.env['SHOTS']}/runs-${name}-${width}-${colorScheme}.png`;
          await page.screenshot({ path, fullPage: true });
        }
      }
      t.deepEqual(await accessibilityProblems(page), [], name);
    };
    await visit(t, async (page) => walk(t, page, async (name) => check(page, name)), { colorScheme });
  });
}
