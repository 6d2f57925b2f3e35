import { hasChromium, useBrowser } from '@runward/testing/browser';
import { newOrganization } from '@runward/testing/organization';
import { launchRun, must, publishProcess } from '@runward/testing/process';
import { useSharedApp } from '@runward/testing/use-shared-app';
import test from 'ava';
import type { Page } from 'playwright-core';

const app = useSharedApp(test);
const visit = useBrowser(test);
const withChromium = hasChromium ? test.serial : test.serial.skip;

const fields = [
  { key: 'customer', label: 'Customer', type: 'TEXT' as const },
  { key: 'big', label: 'Big order', type: 'CHECKBOX' as const },
  { key: 'size', label: 'Size', type: 'NUMBER' as const },
  { key: 'papers', label: 'Papers', type: 'FILE_UPLOAD' as const },
  { key: 'signature', label: 'Signature', type: 'SIGNATURE' as const },
  { key: 'supplier', label: 'Supplier', type: 'DATA_SOURCE' as const },
];

/** A task with the field "Size" or another one, which a rule shows for a big order, unless there is no rule. */
async function begin({ hasRule = true, shows = 'size', needsApproval = false } = {}) {
  const org = await newOrganization(app);
  const {
    templateId,
    taskIds,
    fields: made,
  } = await publishProcess(org.api, [{ title: 'Check', fields, ...(needsApproval && { approval: {} }) }]);
  const rule = {
    name: 'Ask for the size',
    conditions: [
      { source: { type: 'FIELD' as const, fieldId: made['big']?.id ?? '' }, operator: 'EQUALS' as const, value: true },
    ],
    actions: [{ type: 'SHOW' as const, fieldIds: [made[shows]?.id ?? ''] }],
  };
  const params = { id: templateId, taskId: taskIds['Check'] ?? '' };
  if (hasRule) await must(org.api.call('templates.rules', 'create', { params, body: rule }));
  await must(org.api.call('templates', 'publish', { params: { id: templateId } }));
  const { runTaskId } = (await launchRun(org.api, templateId)).byTitle('Check');
  const values = async () => {
    const { data } = await must(org.api.call('execution', 'entries', { params: { runTaskId } }));
    return Object.fromEntries(data[0]?.fieldValues.map(({ key, value }) => [key, value]) ?? []);
  };
  const open = async (page: Page) => {
    await page.goto(`${app.baseUrl}/console/tasks/${runTaskId}`);
    await page.getByLabel('Email address').fill(org.ownerEmail);
    await page.getByLabel('Password').fill(org.ownerPassword);
    await page.keyboard.press('Enter');
    // The form is there before scripts have begun.
    await page.locator('#form').waitFor();
    await page.waitForLoadState('load');
  };
  const submit = (key: string, value: string) =>
    must(
      org.api.call('execution', 'submitForm', {
        body: { runTaskId, values: [{ runTaskFieldId: made[key]?.id ?? '', value }], complete: false },
      }),
    );
  return { org, values, open, submit };
}

async function draw(page: Page) {
  const box = await page.getByRole('img', { name: 'Area to draw: Signature' }).boundingBox();
  await page.mouse.move((box?.x ?? 0) + 20, (box?.y ?? 0) + 20);
  await page.mouse.down();
  await page.mouse.move((box?.x ?? 0) + 200, (box?.y ?? 0) + 90, { steps: 8 });
  await page.mouse.up();
}

const plan = { name: 'plan.txt', mimeType: 'text/plain', buffer: Buffer.from('plan') };

withChromium('with scripts, answers are saved while one fills in the form, and fields appear at once', async (t) => {
  const { open, values } = await begin();
  await visit(t, async (page) => {
    await open(page);
    t.is(await page.getByLabel('Size').count(), 0);
    await page.getByLabel('Big order').check();
    await page.getByLabel('Size').waitFor();
    t.true((await values())['big']);
    await page.getByLabel('Size').fill('not a number');
    await page.getByLabel('Customer').pressSequentially('Ada');
    await page.getByText('Not saved yet: see the marked fields.').waitFor();
    t.is(await page.getByLabel('Customer').inputValue(), 'Ada');
    await page.getByLabel('Size').fill('12');
    await page.getByLabel('Customer').focus();
    await page.getByText('Saved.', { exact: true }).waitFor();
    t.is((await values())['size'], 12);
    await page.getByRole('button', { name: 'Complete', exact: true }).click();
    await page.getByText('You have no other tasks').waitFor();
    t.is((await values())['customer'], 'Ada');
  });
});

withChromium(
  'with scripts, a chosen file and a drawn signature are uploaded beside answers that are not saved',
  async (t) => {
    const { open, values } = await begin();
    await visit(t, async (page) => {
      await open(page);
      await page.getByLabel('Customer').pressSequentially('Grace');
      await page.getByLabel('File for Papers').setInputFiles(plan);
      await page.getByRole('link', { name: 'plan.txt' }).waitFor();
      t.is(await page.getByLabel('Customer').inputValue(), 'Grace');
      t.false(await page.getByRole('button', { name: 'Upload for Papers' }).isVisible());

      await page.getByRole('button', { name: 'Use this signature' }).click();
      await page.getByRole('alert').getByText('Draw the signature first.').waitFor();
      await draw(page);
      await page.getByRole('button', { name: 'Use this signature' }).click();
      await page.getByRole('link', { name: 'signature.png' }).waitFor();
      t.is(await page.getByLabel('Customer').inputValue(), 'Grace');
      await page.getByRole('button', { name: 'Save', exact: true }).click();
      await page.getByRole('status').getByText('Your answers are saved.').waitFor();
    });
    const { customer, papers, signature } = await values();
    t.is(customer, 'Grace');
    t.truthy(papers);
    t.truthy(signature);
  },
);

withChromium(
  'with scripts, a page with answers or a comment that are not saved is left only after a question',
  async (t) => {
    const { open, values } = await begin({ hasRule: false });
    await visit(t, async (page) => {
      await open(page);
      const take = page.getByRole('button', { name: 'Take' });
      const asksToStay = async () => {
        const [dialog] = await Promise.all([page.waitForEvent('dialog'), take.click({ noWaitAfter: true })]);
        t.is(dialog.type(), 'beforeunload');
        await dialog.dismiss();
      };
      await page.getByLabel('Customer').fill('Ada');
      await asksToStay();
      await page.getByLabel('Size').fill('many');
      await page.getByRole('button', { name: 'Save', exact: true }).click();
      await page.getByText('There is a problem').waitFor();
      await asksToStay();
      await page.getByLabel('Size').fill('1');
      await page.getByRole('button', { name: 'Save', exact: true }).click();
      await page.getByText('Your answers are saved.').waitFor();
      await page.getByLabel('Add a comment').fill('To be continued');
      await asksToStay();
      await page.getByRole('button', { name: 'Comment', exact: true }).click();
      await page.getByText('Your comment is added.').waitFor();
      await take.click();
      await page.getByText('The task is yours now.').waitFor();
    });
    t.is((await values())['customer'], 'Ada');
  },
);

withChromium(
  "with scripts, an upload keeps what was typed, which does not replace somebody else's answer",
  async (t) => {
    const { open, values, submit } = await begin({ hasRule: false });
    await visit(t, async (page) => {
      await open(page);
      await page.getByLabel('Customer').pressSequentially('Mine');
      await submit('customer', 'Theirs');
      await page.getByLabel('File for Papers').focus();
      await page.getByLabel('File for Papers').setInputFiles(plan);
      await page.getByRole('link', { name: 'plan.txt' }).waitFor();
      t.is(await page.getByLabel('Customer').inputValue(), 'Mine');
      await page.getByRole('button', { name: 'Save', exact: true }).click();
      await page.getByRole('link', { name: 'was changed meanwhile by Owner, to “Theirs”' }).waitFor();
      t.is(await page.getByLabel('Customer').inputValue(), 'Mine');
    });
    t.is((await values())['customer'], 'Theirs');
  },
);

withChromium('with scripts, a signature is drawn in a field that a rule has shown', async (t) => {
  const { open } = await begin({ shows: 'signature' });
  await visit(t, async (page) => {
    await open(page);
    await page.getByLabel('Big order').check();
    const pad = page.getByRole('img', { name: 'Area to draw: Signature' });
    await pad.waitFor();
    await pad.scrollIntoViewIfNeeded();
    await draw(page);
    await page.getByRole('button', { name: 'Use this signature' }).click();
    await page.getByRole('link', { name: 'signature.png' }).waitFor();
  });
});

withChromium('with scripts, an upload shows what follows from it, and the same file can be chosen again', async (t) => {
  const { open, org } = await begin({ hasRule: false, needsApproval: true });
  await visit(t, async (page) => {
    await open(page);
    const input = page.getByLabel('File for Papers');
    await page.route('**/files', (route) => route.fulfill({ status: 503, body: '' }), { times: 1 });
    await input.setInputFiles(plan);
    await page.getByRole('alert').getByText('Not uploaded: check the connection').waitFor();
    t.is(await input.inputValue(), '');
    await input.setInputFiles(plan);
    await page.getByRole('status').getByText('Uploaded.').waitFor();
    await page.locator('.facts').getByText('Waiting for approval').waitFor();
    await page.getByText('Waiting for a decision.').waitFor();

    await page.getByLabel('Customer').pressSequentially('Kept');
    await page.context().clearCookies({ name: 'flow_session' });
    await input.setInputFiles(plan);
    await page.getByRole('alert').getByText('You are not signed in any more. Sign in in another tab').waitFor();
    const tab = await page.context().newPage();
    await tab.goto(`${app.baseUrl}/sign-in`);
    await tab.getByLabel('Email address').fill(org.ownerEmail);
    await tab.getByLabel('Password').fill(org.ownerPassword);
    await tab.keyboard.press('Enter');
    await tab.getByRole('heading', { name: 'Overview' }).waitFor();
    await input.setInputFiles(plan);
    await page.getByRole('alert').getByText('Press Save first, then choose the file again.').waitFor();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByText('Your answers are saved.').waitFor();
    await page.waitForLoadState('load');
    await input.setInputFiles(plan);
    await page.getByRole('status').getByText('Uploaded.').waitFor();
    t.is(await page.getByLabel('Customer').inputValue(), 'Kept');
  });
});

withChromium(
  'with scripts, what was typed stays when the network fails or the session ends, and is saved later',
  async (t) => {
    const { open, values, org } = await begin();
    const failures: string[] = [];
    const work: Parameters<typeof visit>[1] = async (page) => {
      await open(page);
      await page.route('**/console/tasks/*', (route) => route.abort('connectionreset'));
      await page.getByLabel('Big order').check();
      await page.getByText('Not saved. Your answers are still here').waitFor();
      await page.unroute('**/console/tasks/*');
      await page.context().clearCookies({ name: 'flow_session' });
      await page.getByLabel('Customer').fill('Kept');
      await page.getByLabel('Big order').focus();
      await page.getByText('Not saved. Your answers are still here').waitFor();
      t.deepEqual(await values(), {});
      t.is(await page.getByLabel('Customer').inputValue(), 'Kept');
      await page.getByRole('button', { name: 'Save', exact: true }).click();
      await page.getByLabel('Password').fill(org.ownerPassword);
      await page.getByLabel('Email address').fill(org.ownerEmail);
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { name: 'You are signed in again' }).waitFor();
      await page.getByRole('button', { name: 'Continue' }).click();
      await page.getByText('Your answers are saved.').waitFor();
    };
    await visit(t, work, {}, failures);
    t.deepEqual(await values(), { customer: 'Kept', big: true });
    t.true(failures.length > 0);
  },
);

withChromium('with scripts, a search after the session has ended says that nothing was searched', async (t) => {
  const { open } = await begin();
  await visit(t, async (page) => {
    await open(page);
    const search = page.getByRole('searchbox', { name: 'Search for a row: Supplier' });
    const cookies = await page.context().cookies();
    await page.context().clearCookies({ name: 'flow_session' });
    await search.fill('Acme');
    await page.getByRole('alert').getByText('Nothing was searched').waitFor();
    t.is(await search.inputValue(), 'Acme');
    await page.context().addCookies(cookies);
    await search.fill('Acme Corporation');
    await page.getByText('No row was found.').waitFor();
    t.is(await page.getByText('Nothing was searched').count(), 0);
    await page.context().clearCookies({ name: 'flow_session' });
    await page.getByRole('button', { name: 'Look up: Supplier' }).click();
    await page.getByText('what you entered is kept').waitFor();
  });
});
