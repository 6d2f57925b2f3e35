import { newOrganization } from '@runward/testing/organization';
import test from 'ava';
import { useScriptedProviders } from '../../support/scripted-sign-in.ts';

const { app, provider, newBrowser, begin, person, comeBack } = useScriptedProviders(test);
const serial = test.serial;

serial('while a provider cannot be reached, the page says so and the password works', async (t) => {
  const org = await newOrganization(app);
  const browser = newBrowser();
  const { status, html } = await browser.client.get('/sign-in/dead');
  t.is(status, 503);
  t.regex(html, /Provider dead cannot be used at the moment. Try again later, or sign in with your password/);
  t.regex(html, /href="\/sign-in"/);
  t.false(browser.client.cookies.has('flow_sign_in'));
  t.is((await browser.client.get('/sign-in')).status, 200);
  t.is((await browser.client.signIn(org.ownerEmail, org.ownerPassword)).status, 303);
});

serial(
  'a provider that fails or does not respond during the sign-in is unavailable within its time limit',
  async (t) => {
    const org = await newOrganization(app);
    for (const script of [{ status: 502 }, { silent: true }]) {
      const browser = newBrowser();
      const parameters = await begin(browser, 'one', person(org.ownerEmail));
      provider('one').script = script;
      const began = performance.now();
      const { status, html } = await comeBack(browser, 'one', parameters);
      t.is(status, 503);
      t.regex(html, /cannot be used at the moment/);
      t.true(performance.now() - began < 15_000);
      provider('one').script = {};
    }
  },
);

serial('a provider that claims to be another issuer is not used', async (t) => {
  provider('two').script = { issuer: provider('one').issuer };
  const { status, html } = await newBrowser().client.get('/sign-in/two');
  t.is(status, 400);
  t.regex(html, /was not accepted/);
  provider('two').script = {};
  t.is((await newBrowser().client.get('/sign-in/two')).status, 303, 'once corrected, it is used');
});

serial('a person who cancels at the provider comes back to a page that says so', async (t) => {
  const browser = newBrowser();
  const parameters = await begin(browser, 'one', person('nobody@example.com'));
  parameters.delete('code');
  parameters.set('error', 'access_denied');
  parameters.set('error_description', '<script>alert(1)</script>');
  const { status, html } = await comeBack(browser, 'one', parameters);
  t.is(status, 403);
  t.regex(html, /Provider one has not signed you in/);
  t.false(html.includes('alert(1)'));
});

serial('there is no page for a provider that is not configured', async (t) => {
  const { client } = newBrowser();
  for (const path of ['/sign-in/unknown', '/sign-in/unknown/callback', '/sign-in/resume']) {
    t.is((await client.get(path)).status, 404, path);
  }
  t.is((await client.submit('/auth/oidc/unknown/back-channel-logout', { logout_token: 'x' })).status, 404);
});
