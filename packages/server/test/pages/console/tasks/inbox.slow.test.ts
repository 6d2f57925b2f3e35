import { hasChromium, useBrowser } from '@runward/testing/browser';
import { newOrganization } from '@runward/testing/organization';
import { launchRun, must, publishProcess } from '@runward/testing/process';
import { useSharedApp } from '@runward/testing/use-shared-app';
import test from 'ava';
import { checkScreens } from '../../../support/stories/check-screens.ts';
import { submitSignIn } from '../../../support/stories/submit-sign-in.ts';

const app = useSharedApp(test);
const visit = useBrowser(test);
const withChromium = hasChromium ? test.serial : test.serial.skip;

for (const colorScheme of ['light', 'dark'] as const) {
  withChromium(`a member signs in and finds the inbox accessible in ${colorScheme}`, async (t) => {
    const org = await newOrganization(app);
    const titles = [
      'Sign the contract',
      'Order a laptop with a very long name that does not fit into one line',
      'Call',
    ];
    const { templateId } = await publishProcess(
      org.api,
      titles.map((title) => ({ title })),
    );
    const run = await launchRun(org.api, templateId, { title: 'New hire: Grace Hopper' });
    for (const [index, title] of titles.entries()) {
      const { runTaskId: taskId } = run.byTitle(title);
      const body = { assigneeId: org.ownerUserId };
      await must(org.api.call('runs.tasks', 'setAssignee', { params: { taskId }, body }));
      const dueAt = ['2020-01-01T10:00:00Z', new Date(Date.now() + 3 * 86_400_000).toISOString(), null][index] ?? null;
      if (dueAt) await must(org.api.call('runs.tasks', 'setDueDate', { params: { taskId }, body: { dueAt } }));
    }
    await visit(
      t,
      async (page) => {
        await page.goto(`${app.baseUrl}/console/tasks`);
        await submitSignIn(page, { email: org.ownerEmail, password: org.ownerPassword });
        await page.getByRole('heading', { name: 'Tasks', level: 1 }).waitFor();
        await page.waitForLoadState();
        t.is(await page.getByRole('listitem').filter({ hasText: 'New hire' }).count(), 3);
        await checkScreens(t, colorScheme)(page, 'inbox');
      },
      { colorScheme },
    );
  });
}

withChromium('a long title of a run leaves room for the titles of its tasks on a tablet', async (t) => {
  const org = await newOrganization(app);
  const { templateId } = await publishProcess(org.api, [{ title: 'Check', assigneeId: org.ownerUserId }]);
  const title = 'Renewal of the framework agreement for the furniture of all branch offices in all countries';
  await launchRun(org.api, templateId, { title });
  await visit(
    t,
    async (page) => {
      await page.goto(`${app.baseUrl}/console/tasks`);
      await submitSignIn(page, { email: org.ownerEmail, password: org.ownerPassword });
      await page.getByRole('link', { name: 'Check' }).waitFor({ state: 'attached' });
      await page.waitForLoadState();
      t.is(await page.evaluate('document.querySelector("main .rows a").getClientRects().length'), 1);
      t.true(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'));
    },
    { viewport: { width: 700, height: 800 } },
  );
});
