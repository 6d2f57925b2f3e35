import { accessibilityProblems, hasChromium, useBrowser } from '@runward/testing/browser';
import { newOrganization } from '@runward/testing/organization';
import { useSharedApp } from '@runward/testing/use-shared-app';
import test from 'ava';
import type { Page } from 'playwright-core';
import { submitSignIn } from '../../../support/stories/submit-sign-in.ts';
import { newMailId } from '../../../support/world/mails.ts';

const app = useSharedApp(test);
const visit = useBrowser(test);
const withChromium = hasChromium ? test.serial : test.serial.skip;
const folder = process.env['SCREENSHOTS'];

for (const colorScheme of ['light', 'dark'] as const) {
  withChromium(
    `an administrator sends a mail again and chooses mails in a browser, accessible in ${colorScheme}`,
    async (t) => {
      const org = await newOrganization(app);
      await newMailId(app, org);
      const check = async (page: Page, name: string) => {
        t.deepEqual(await accessibilityProblems(page), [], name);
        for (const width of [375, 768, 1440]) {
          await page.setViewportSize({ width, height: 800 });
          t.true(await page.evaluate(`document.documentElement.scrollWidth <= ${width}`), `${name}: ${width} px`);
          if (folder) await page.screenshot({ path: `${folder}/${name}-${colorScheme}-${width}.png`, fullPage: true });
        }
      };
      await visit(
        t,
        async (page) => {
          await page.goto(`${app.baseUrl}/console/mails`);
          await submitSignIn(page, { email: org.ownerEmail, password: org.ownerPassword });
          await page.getByRole('link', { name: 'Assigned to you: Collect the documents' }).waitFor();
          await check(page, 'mails');
          await page.getByRole('link', { name: 'Assigned to you: Collect the documents' }).click();
          await page.getByRole('button', { name: 'Resend' }).waitFor();
          await check(page, 'mail');
          await page.getByRole('button', { name: 'Resend' }).click();
          await page.getByText('The mail is sent again.').waitFor();
          await page.goto(`${app.baseUrl}/console/account`);
          await page.getByLabel('A task is assigned to you or your group').selectOption('In one mail a day');
          await check(page, 'account-mails');
          await page.getByRole('button', { name: 'Save what you are told' }).click();
          await page.getByText('The change is saved.').waitFor();
        },
        { colorScheme },
      );
    },
  );
}
