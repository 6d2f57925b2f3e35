import { hasChromium, useBrowser } from '@runward/testing/browser';
import { newOrganization } from '@runward/testing/organization';
import { useSharedApp } from '@runward/testing/use-shared-app';
import test from 'ava';
import { checkScreens } from '../../../support/stories/check-screens.ts';
import { submitSignIn } from '../../../support/stories/submit-sign-in.ts';
import { newMailId } from '../../../support/world/mails.ts';

const app = useSharedApp(test);
const visit = useBrowser(test);
const withChromium = hasChromium ? test.serial : test.serial.skip;

for (const colorScheme of ['light', 'dark'] as const) {
  withChromium(
    `an administrator sends a mail again and chooses mails in a browser, accessible in ${colorScheme}`,
    async (t) => {
      const org = await newOrganization(app);
      await newMailId(app, org);
      const check = checkScreens(t, colorScheme);
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
