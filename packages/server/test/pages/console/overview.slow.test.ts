import { useApp } from '@runward/testing/app';
import { hasChromium, useBrowser } from '@runward/testing/browser';
import { newOrganization } from '@runward/testing/organization';
import { launchRun, must, publishProcess } from '@runward/testing/process';
import test from 'ava';
import type { Page } from 'playwright-core';
import { addDeliveries, disableWebhook, failRulesSync, infect, neglect, newWebhook } from '../../support/attention.ts';
import { openForm } from '../../support/files.ts';
import { checkScreens } from '../../support/stories/check-screens.ts';
import { submitSignIn } from '../../support/stories/submit-sign-in.ts';

const app = useApp(test);
const visit = useBrowser(test);
const withChromium = hasChromium ? test.serial : test.serial.skip;

async function busyOrganization() {
  const org = await newOrganization(app);
  const name = 'Onboarding of employees in the branch offices of all countries';
  const { templateId } = await publishProcess(org.api, [{ title: 'Sign' }], { name });
  const titles = [
    'Grace Hopper',
    'Ada Lovelace',
    'Katherine Johnson',
    'Dorothy Vaughan',
    'Mary Jackson',
    'Joan Clarke',
  ];
  for (const [index, name] of titles.entries()) {
    const run = await launchRun(org.api, templateId, { title: `New hire: ${name}` });
    const params = { taskId: run.byTitle('Sign').runTaskId };
    if (index === 0) await neglect(app, run.id, 9);
    else await must(org.api.call('runs.tasks', 'setDueDate', { params, body: { dueAt: '2020-01-01T10:00:00Z' } }));
  }
  await failRulesSync(app, org, templateId);
  const webhook = await newWebhook(org, 'Payroll');
  await disableWebhook(app, webhook, 'The receiver responded 410.');
  await addDeliveries(app, org, webhook, { count: 12 });
  const form = await openForm(app, { org });
  await infect(app, (await must(form.upload('papers', 'harmless', 'invoice.pdf'))).id);
  return org;
}

for (const colorScheme of ['light', 'dark'] as const) {
  withChromium(`the overview and the search are accessible in ${colorScheme}`, async (t) => {
    const org = await busyOrganization();
    const check = checkScreens(t, colorScheme);
    const search = async (page: Page, text: string) => {
      await page.getByLabel('Runs, templates and members').fill(text);
      await page.getByRole('search', { name: 'Console' }).getByRole('button', { name: 'Search' }).click();
    };
    await visit(
      t,
      async (page) => {
        await page.goto(`${app.baseUrl}/console`);
        await submitSignIn(page, { email: org.ownerEmail, password: org.ownerPassword });
        await page.getByRole('heading', { name: 'Failed deliveries' }).waitFor();
        await check(page, 'overview');
        await search(page, 'hire');
        await page.getByRole('heading', { name: 'Search for “hire”' }).waitFor();
        await check(page, 'search');
        await search(page, 'nowhere');
        await page.getByText('No run, template or member has this').waitFor();
        await check(page, 'search-none');
        await search(page, '');
        await check(page, 'search-start');
        await page.getByRole('link', { name: 'Tasks', exact: true }).click();
        await page.getByRole('heading', { name: 'Tasks', level: 1 }).waitFor();
        await check(page, 'tasks');
      },
      { colorScheme },
    );
  });
}
