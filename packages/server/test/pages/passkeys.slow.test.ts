import { useApp } from '@runward/testing/app';
import { accessibilityProblems, hasChromium, useBrowser } from '@runward/testing/browser';
import { newOrganization } from '@runward/testing/organization';
import test from 'ava';
import type { Page } from 'playwright-core';
import { submitSignIn } from '../support/stories/submit-sign-in.ts';

// Browsers have no passkeys for IP addresses.
const app = useApp(test, { hostName: 'localhost' });
const visit = useBrowser(test);
const withChromium = hasChromium ? test.serial : test.serial.skip;

/** Gives the browser of a page an authenticator that has no passkeys yet. */
async function addAuthenticator(page: Page): Promise<void> {
  const client = await page.context().newCDPSession(page);
  await client.send('WebAuthn.enable');
  await client.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
}

withChromium('a member adds a passkey, signs out, signs in with it, renames it and removes it', async (t) => {
  const org = await newOrganization(app);
  await visit(t, async (page) => {
    await addAuthenticator(page);
    await page.goto(`${app.baseUrl}/sign-in?next=/console/account`);
    await page.getByLabel('Email address').fill(org.ownerEmail);
    await page.getByLabel('Password').fill(org.ownerPassword);
    await page.keyboard.press('Enter');
    await page.getByLabel('Name of the new passkey').fill('Laptop');
    await page.getByRole('button', { name: 'Add a passkey' }).click();
    await page.getByText('The passkey is added.').waitFor();
    t.deepEqual(await accessibilityProblems(page), []);

    await page.getByLabel('Name of the new passkey').fill('Again');
    await page.getByRole('button', { name: 'Add a passkey' }).click();
    await page.getByText('This device has a passkey of yours already.').waitFor();

    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.goto(`${app.baseUrl}/sign-in?next=/console/account`);
    t.deepEqual(await accessibilityProblems(page), []);
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
    await page.getByLabel('Name of the passkey Laptop').fill('Phone');
    await page.getByRole('button', { name: 'Rename Laptop' }).click();
    await page.getByRole('button', { name: 'Remove Phone' }).click();
    await page.getByText('The passkey is removed.').waitFor();

    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
    await page.getByText('The passkey was not accepted').waitFor();
  });
});

withChromium('adding a passkey after the session has changed in another tab says to reload the page', async (t) => {
  const org = await newOrganization(app);
  const login = { email: org.ownerEmail, password: org.ownerPassword };
  await visit(t, async (page) => {
    await addAuthenticator(page);
    await page.goto(`${app.baseUrl}/sign-in?next=/console/account`);
    await submitSignIn(page, login);
    await page.getByLabel('Name of the new passkey').fill('Laptop');
    const add = async () => {
      await page.getByRole('button', { name: 'Add a passkey' }).click();
      await page.getByText('Reload it, then try again.').waitFor();
    };
    const other = await page.context().newPage();
    await other.goto(`${app.baseUrl}/console`);
    await other.getByRole('button', { name: 'Sign out' }).click();
    await other.getByRole('heading', { name: 'Sign in' }).waitFor();
    await add();
    await submitSignIn(other, login);
    await other.getByRole('navigation', { name: 'Console' }).waitFor();
    await add();
    // Browsers use authenticators for the tab in front only.
    await page.bringToFront();
    await page.reload();
    await page.getByLabel('Name of the new passkey').fill('Laptop');
    await page.getByRole('button', { name: 'Add a passkey' }).click();
    await page.getByText('The passkey is added.').waitFor();
  });
});

withChromium('without JavaScript the account says that a passkey needs it, and the sign-in offers none', async (t) => {
  const org = await newOrganization(app);
  const work: Parameters<typeof visit>[1] = async (page) => {
    await page.goto(`${app.baseUrl}/sign-in?next=/console/account`);
    t.false(await page.getByRole('button', { name: 'Sign in with a passkey' }).isVisible());
    await page.getByLabel('Email address').fill(org.ownerEmail);
    await page.getByLabel('Password').fill(org.ownerPassword);
    await page.keyboard.press('Enter');
    await page.getByText('Adding a passkey needs JavaScript').waitFor();
    t.false(await page.getByRole('button', { name: 'Add a passkey' }).isVisible());
  };
  await visit(t, work, { javaScriptEnabled: false });
});
