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
  withChromium(`a member comments, edits and deletes in a browser, accessible in ${colorScheme}`, async (t) => {
    const org = await newOrganization(app);
    const { templateId } = await publishProcess(org.api, [{ title: 'Check the contract' }]);
    const { id, byTitle } = await launchRun(org.api, templateId);
    const { runTaskId: taskId } = byTitle('Check the contract');
    const { id: grace } = await org.member('Grace Hopper');
    const text = 'The supplier asks for **60 days**:\n\n- 30 are in the contract\n- 45 were offered\n\n`DE811907980`';
    const body = { text, mentions: { userIds: [grace] } };
    await must(org.api.call('runs.tasks', 'comment', { params: { taskId }, body }));
    const check = checkScreens(t, colorScheme);
    await visit(
      t,
      async (page) => {
        await page.goto(`${app.baseUrl}/console/runs/${id}`);
        await submitSignIn(page, { email: org.ownerEmail, password: org.ownerPassword });
        await page.getByLabel('Add a comment').fill('Can you decide, @Grace Hopper?');
        await page.getByRole('button', { name: 'Comment' }).click();
        await page.getByText('Your comment is added.').waitFor();
        await check(page, 'run-comments');
        await page.goto(`${app.baseUrl}/console/tasks/${taskId}`);
        await check(page, 'task-comments');
        await page.getByLabel('Add a comment').fill('x'.repeat(20_481));
        await page.getByRole('button', { name: 'Comment' }).click();
        await page.getByRole('alert').waitFor();
        await page.getByLabel('Add a comment').fill('   ');
        await page.getByRole('button', { name: 'Comment' }).click();
        await page.getByText('must not be empty').first().waitFor();
        await check(page, 'rejected-comment');
        await page.goto(`${app.baseUrl}/console/tasks/${taskId}`);
        await page.getByRole('link', { name: 'Edit the comment' }).click();
        await check(page, 'edit-comment');
        await page.getByLabel('Comment', { exact: true }).fill('Settled.');
        await page.getByRole('button', { name: 'Save' }).click();
        await page.getByText('The comment is changed.').waitFor();
        await page.getByRole('link', { name: 'Delete the comment' }).click();
        await check(page, 'delete-comment');
        await page.getByRole('button', { name: 'Delete the comment' }).click();
        await page.getByText('The comment is deleted.').waitFor();
      },
      { colorScheme },
    );
  });
}
