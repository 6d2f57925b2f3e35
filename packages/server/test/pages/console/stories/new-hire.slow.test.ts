import { hasChromium, useBrowser } from '@runward/testing/browser';
import { must } from '@runward/testing/process';
import { useSharedApp } from '@runward/testing/use-shared-app';
import test from 'ava';
import { atConsole } from '../../../support/stories/at-console.ts';
import { onboarding } from '../../../support/stories/onboarding.ts';

const app = useSharedApp(test);
const visit = useBrowser(test);
const withChromium = hasChromium ? test.serial : test.serial.skip;

const contract = { name: 'contract.txt', mimeType: 'text/plain', buffer: Buffer.from('Signed by both.') };

for (const hasScripts of [true, false]) {
  const how = hasScripts ? 'with scripts' : 'without scripts';
  withChromium(`four people bring a new hire on board from the launch to the completed run, ${how}`, async (t) => {
    const { org, operator, recruiter, technician, payroll, run, statuses, entries } = await onboarding(app);
    const work: Parameters<typeof visit>[1] = async (page) => {
      const { signIn, signOut, goTo, follow, press, reads, isTold, picture } = atConsole(app, page);

      await signIn(operator);
      await goTo('Launch');
      await page.getByLabel('Name contains').fill('board');
      await press('Search');
      await follow('Onboarding');
      await page.getByLabel('Title').fill('Welcome Dorothy');
      await page.getByLabel('Team').fill('Orbits');
      await picture('launch');
      await press('Launch');
      await isTold('The run has started.');
      await reads('Welcome Dorothy');
      await picture('launched');
      await signOut();
      t.deepEqual((await run()).variables, { team: 'Orbits' });
      t.deepEqual(await statuses(), {
        'Collect personal data': 'PENDING',
        'Order the equipment': 'BLOCKED',
        'Agree on the contract': 'BLOCKED',
      });

      await signIn(recruiter);
      await picture('inbox');
      await follow('Collect personal data');
      await page.getByLabel('Full name').fill('Dorothy Vaughan');
      await page.getByLabel('First day').fill('2027-01-04');
      t.is(await page.getByLabel('Address for the parcel').count(), 0);
      await page.getByLabel('Works from home').check();
      if (!hasScripts) await press('Save');
      await page.getByLabel('Address for the parcel').fill('1 Langley Road\nHampton');
      await picture('form');
      await press('Complete');
      await isTold('The task is completed. You have no other tasks.');
      await picture('inbox-empty');
      await signOut();
      t.deepEqual(await entries('Collect personal data'), [
        { name: 'Dorothy Vaughan', start: '2027-01-04', remote: true, address: '1 Langley Road\nHampton' },
      ]);

      await signIn(technician);
      await page.getByText('Your group', { exact: true }).waitFor();
      await picture('inbox-group');
      await follow('Order the equipment');
      await press('Take');
      await isTold('The task is yours now.');
      await page.getByLabel('Item').fill('Laptop');
      await press('Save');
      await isTold('Your answers are saved.');
      await page.getByLabel('Layout of the keyboard').fill('Dvorak');
      await press('Save');
      await isTold('Your answers are saved.');
      await follow('New entry');
      await page.getByLabel('Item').fill('Monitor');
      await picture('entries');
      await press('Complete');
      await isTold('The entry is completed.');
      await picture('entry-completed');
      t.is((await statuses())['Order the equipment'], 'PENDING');
      t.is(await page.getByLabel('Item').inputValue(), 'Laptop');
      await press('Complete');
      await isTold('The task is completed. You have no other tasks.');
      await signOut();
      t.deepEqual(await entries('Order the equipment'), [{ item: 'Laptop', layout: 'Dvorak' }, { item: 'Monitor' }]);
      t.is((await run()).byTitle('Order the equipment').assigneeId, technician.id);

      await signIn(payroll);
      await follow('Agree on the contract');
      await page.getByLabel('File for Signed contract').setInputFiles(contract);
      if (!hasScripts) await press('Upload for Signed contract');
      await page.getByRole('link', { name: 'contract.txt' }).waitFor();
      await page.getByLabel('Salary per year').fill('5000');
      await press('Request approval');
      await isTold('The approval is requested.');
      await picture('requested');
      await signOut();
      t.is((await statuses())['Agree on the contract'], 'PENDING_APPROVAL');

      await signIn(operator, '/tasks');
      await page.getByText('Waiting for your approval', { exact: true }).waitFor();
      await follow('Agree on the contract');
      await picture('decision');
      await press('Reject');
      await page.getByRole('alert').getByRole('link', { name: 'Comment: must say why' }).click();
      await picture('rejection-without-comment');
      await page.getByLabel(/^Comment \(/).fill('A zero is missing.');
      await press('Reject');
      await isTold('You rejected the task.');
      await signOut();
      t.is((await run()).byTitle('Agree on the contract').approval?.status, 'REJECTED');

      await signIn(payroll);
      await follow('Agree on the contract');
      await page.getByText('A zero is missing.').waitFor();
      await picture('rejected');
      await page.getByLabel('Salary per year').fill('50000');
      await press('Request approval');
      await isTold('The approval is requested.');
      await signOut();

      await signIn(operator, '/tasks');
      await follow('Agree on the contract');
      await press('Approve');
      await isTold('You approved the task.');
      await picture('approved');
      await signOut();

      await signIn(payroll);
      await follow('Agree on the contract');
      await press('Complete');
      await isTold('The task is completed.');
      await signOut();

      const { status, id, tasks } = await run();
      t.is(status, 'COMPLETED');
      t.true(tasks.every((task) => task.status === 'COMPLETED'));
      const [{ contract: fileIds, ...values } = {}] = await entries('Agree on the contract');
      t.deepEqual(values, { salary: 50_000 });
      const { data: files } = await must(org.api.call('files', 'list', { query: { runId: id } }));
      t.deepEqual(
        files.map((file) => [file.id, file.fileName]),
        [[[fileIds].flat()[0], 'contract.txt']],
      );

      await signIn(operator);
      await goTo('Runs');
      await page.getByRole('link', { name: /^Completed/ }).click();
      await picture('runs');
      await follow('Welcome Dorothy');
      await page.getByText('Show what was entered').click();
      await picture('run');
      for (const text of ['Orbits', 'Dorothy Vaughan', 'Monitor', '50000', '1 Langley Road'])
        await page.getByRole('definition').getByText(text).first().waitFor();
      await page.getByText('3 of 3').waitFor();
      const downloading = page.waitForEvent('download');
      await follow('contract.txt');
      t.is((await downloading).suggestedFilename(), 'contract.txt');
      await follow('All entries of “Order the equipment”');
      await page.getByRole('region', { name: 'Entries' }).getByRole('link', { name: 'Grace Hopper' }).last().click();
      await page.getByRole('definition').getByText('Laptop').waitFor();
      await picture('entry');
    };
    await visit(t, work, { javaScriptEnabled: hasScripts });
  });
}
