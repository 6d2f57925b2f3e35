import { useApp } from '@runward/testing/app';
import { accessibilityProblems, hasChromium, useBrowser } from '@runward/testing/browser';
import { newOrganization } from '@runward/testing/organization';
import test from 'ava';

// Browsers have no passkeys for IP addresses.
const app = useApp(test, { hostName: 'localhost' });
const visit = useBrowser(test);
const withChromium = hasChromium ? test.serial : test.serial.skip;

withChromium('a member adds a passkey, signs out, signs in with it, renames it and removes it', async (t) => {
  const org = await newOrganization(app);
  await visit(t, async (page) => {
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
