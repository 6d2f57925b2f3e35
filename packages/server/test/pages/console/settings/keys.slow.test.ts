import { hasChromium, useBrowser } from '@runward/testing/browser';
import { newOrganization } from '@runward/testing/organization';
import { publishProcess } from '@runward/testing/process';
import { useSharedApp } from '@runward/testing/use-shared-app';
import test from 'ava';
import { checkScreens } from '../../../support/stories/check-screens.ts';
import { submitSignIn } from '../../../support/stories/submit-sign-in.ts';

const app = useSharedApp(test);
const visit = useBrowser(test);
const withChromium = hasChromium ? test.serial : test.serial.skip;

for (const colorScheme of ['light', 'dark'] as const) {
  withChromium(`an administrator creates and revokes a key in a browser, accessible in ${colorScheme}`, async (t) => {
    const org = await newOrganization(app);
    await publishProcess(org.api);
    const check = checkScreens(t, colorScheme);
    await visit(
      t,
      async (page) => {
        await page.goto(`${app.baseUrl}/console/keys`);
        await submitSignIn(page, { email: org.ownerEmail, password: org.ownerPassword });
        await page.getByRole('link', { name: 'Create a key' }).click();
        await page.getByLabel('Name').fill('Payroll export');
        await page.getByRole('button', { name: 'Create the key' }).click();
        await page.getByRole('alert').waitFor();
        await check(page, 'new-key');
        await page.getByLabel('Read runs,').check();
        await page.getByRole('button', { name: 'Create the key' }).click();
        t.regex(await page.getByLabel('The key').inputValue(), /^sk_live_/);
        await check(page, 'created-key');
        await page.getByRole('link', { name: 'I have copied it' }).click();
        await check(page, 'keys');
        await page.getByRole('link', { name: 'Revoke Payroll export' }).click();
        await check(page, 'revoke-key');
        await page.getByRole('button', { name: 'Revoke the key' }).click();
        await page.getByText('The key is revoked.').waitFor();
      },
      { colorScheme },
    );
  });
}
