import { hasChromium, useBrowser } from '@runward/testing/browser';
import { addMember } from '@runward/testing/members';
import { newOrganization } from '@runward/testing/organization';
import { launchRun, must, publishProcess } from '@runward/testing/process';
import { useSharedApp } from '@runward/testing/use-shared-app';
import test from 'ava';
import type { Page } from 'playwright-core';
import { checkScreens } from '../../../support/stories/check-screens.ts';

const app = useSharedApp(test);
const visit = useBrowser(test);
const withChromium = hasChromium ? test.serial : test.serial.skip;

for (const colorScheme of ['light', 'dark'] as const) {
  withChromium(`an owner manages people in a browser, accessible in ${colorScheme}`, async (t) => {
    const org = await newOrganization(app, { timeZone: 'Europe/Berlin' });
    const session = await org.session();
    const { templateId } = await publishProcess(org.api, [{ title: 'Review' }]);
    const { id } = await addMember(app.baseUrl, session, { name: 'Grace Hopper', role: 'ADMIN' });
    await addMember(app.baseUrl, session, { name: 'Ada Lovelace' });
    const taskId = (await launchRun(org.api, templateId)).byTitle('Review').runTaskId;
    await must(org.api.call('runs.tasks', 'setAssignee', { params: { taskId }, body: { assigneeId: id } }));

    const check = checkScreens(t, colorScheme);
    const press = async (page: Page, name: string) =>
      page.getByRole('main').getByRole('button', { name, exact: true }).click();

    await visit(
      t,
      async (page) => {
        const open = (path: string) => page.goto(`${app.baseUrl}/console/${path}`);
        await open('account');
        await page.getByLabel('Email address').fill(org.ownerEmail);
        await page.getByLabel('Password').fill(org.ownerPassword);
        await press(page, 'Sign in');
        await page.getByLabel('Current password').fill('wrong');
        await page.getByLabel('New password', { exact: true }).fill('long enough');
        await page.getByLabel('New password again').fill('long enough');
        await press(page, 'Change the password');
        await page.getByRole('alert').waitFor();
        await check(page, 'account-errors');
        await press(page, 'End all other sessions');
        await page.getByText('All your other sessions have ended.').waitFor();
        await check(page, 'account');

        await open('organization');
        await check(page, 'organization');
        await must((await org.session()).call('organization', 'update', { body: { name: 'Renamed by Grace' } }));
        await page.getByLabel('Name').fill('Northwind Traders');
        await press(page, 'Save the settings');
        await page.getByText('“Renamed by Grace”').waitFor();
        await check(page, 'organization-conflict');
        await press(page, 'Save the settings');
        await page.getByText('The change is saved.').waitFor();

        await page.getByRole('link', { name: 'Members', exact: true }).first().click();
        await check(page, 'members');
        await page.getByRole('link', { name: 'Add a member' }).click();
        await page.getByLabel('Name').fill('Alan Turing');
        await page.getByLabel('Email address').fill(org.ownerEmail);
        await page.getByLabel('Password').fill('long enough');
        await press(page, 'Add the member');
        await page.getByRole('alert').waitFor();
        await check(page, 'add-member-errors');
        await open(`members/${id}`);
        await check(page, 'member');
        await page.getByRole('link', { name: 'Deactivate…' }).click();
        await page.getByLabel('Assign these tasks to').selectOption({ label: `Owner, ${org.ownerEmail}` });
        await check(page, 'deactivate-member');
        await press(page, 'Deactivate the member');
        await page.getByText('The member is deactivated.').waitFor();
        await check(page, 'deactivated-member');

        await open('groups');
        await check(page, 'no-groups');
        await page.getByLabel('Name').fill('Purchasing');
        await press(page, 'Create the group');
        await page.getByLabel('Choose Ada Lovelace').check();
        await press(page, 'Add the chosen');
        await page.getByText('They are members of the group now.').waitFor();
        await check(page, 'group');
        await page.getByRole('link', { name: 'Delete the group…' }).click();
        await check(page, 'delete-group');
        await open('groups');
        await check(page, 'groups');

        await open('folders');
        await page.getByLabel('Name').fill('Human resources');
        await press(page, 'Create the folder');
        await page.getByLabel('Name contains').fill('e');
        await press(page, 'Search');
        await page.getByLabel('Choose').first().check();
        await check(page, 'folder-search');
        await press(page, 'Move the chosen here');
        await page.getByText('The templates are moved.').waitFor();
        await check(page, 'folder');
        await open('folders');
        await check(page, 'folders');
      },
      { colorScheme },
    );
  });
}
