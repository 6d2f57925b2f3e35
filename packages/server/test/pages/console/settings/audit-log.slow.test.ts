import { hasChromium, useBrowser } from '@runward/testing/browser';
import { newOrganization } from '@runward/testing/organization';
import { must } from '@runward/testing/process';
import { useSharedApp } from '@runward/testing/use-shared-app';
import test from 'ava';
import { checkScreens } from '../../../support/stories/check-screens.ts';
import { submitSignIn } from '../../../support/stories/submit-sign-in.ts';

const app = useSharedApp(test);
const visit = useBrowser(test);
const withChromium = hasChromium ? test.serial : test.serial.skip;

for (const colorScheme of ['light', 'dark'] as const) {
  withChromium(`an administrator reads the audit log in a browser, accessible in ${colorScheme}`, async (t) => {
    const org = await newOrganization(app);
    const session = await org.session();
    const { id } = await must(session.call('groups', 'create', { body: { name: 'Purchasing' } }));
    await must(session.call('groups', 'update', { params: { id }, body: { name: 'Purchasing EMEA' } }));
    await visit(
      t,
      async (page) => {
        await page.goto(`${app.baseUrl}/console/audit-log`);
        await submitSignIn(page, { email: org.ownerEmail, password: org.ownerPassword });
        await page.getByRole('rowheader', { name: 'Group updated' }).getByText('Details').click();
        await page.getByText('Purchasing → Purchasing EMEA').waitFor();
        await checkScreens(t, colorScheme)(page, 'audit-log');
        await page.getByRole('rowheader', { name: 'Group updated' }).locator('..').getByRole('link').click();
        await page.getByText('2 lines.').waitFor();
      },
      { colorScheme },
    );
  });
}
