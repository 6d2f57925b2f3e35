import { createHash } from 'node:crypto';
import { newOrganization } from '@runward/testing/organization';
import test from 'ava';
import type { JWTPayload } from 'jose';
import { newAttempt, proofsOf } from '../../../src/organization/single-sign-on/attempt.ts';
import { useScriptedProviders } from '../../support/scripted-sign-in.ts';

const { app, provider, newBrowser, begin, person, comeBack } = useScriptedProviders(test);
// Scripts are for one test at a time.
const serial = test.serial;

const seconds = () => Math.floor(Date.now() / 1000);
const changed = (parameters: URLSearchParams, changes: Record<string, string>) => {
  const copy = new URLSearchParams(parameters);
  for (const [name, value] of Object.entries(changes)) copy.set(name, value);
  return copy;
};

/** How the provider responds to an attempt that a browser has stored. */
function respondAgain(attempt: string, claims: JWTPayload): URLSearchParams {
  const { state, nonce, codeVerifier } = proofsOf(attempt);
  const challenge = createHash('sha256').update(codeVerifier).digest('base64url');
  const asked = new URLSearchParams({ state, nonce, code_challenge: challenge });
  return provider('one').respondTo(`${provider('one').issuer}/authorize?${asked.toString()}`, claims);
}

serial('what the scripted provider returns without a change signs in', async (t) => {
  const org = await newOrganization(app);
  const browser = newBrowser();
  const response = await comeBack(browser, 'one', await begin(browser, 'one', person(org.ownerEmail)));
  t.deepEqual([response.status, response.headers.get('location')], [303, '/console']);
  t.true(browser.client.cookies.has('flow_session'));
});

serial('an ID token that is not for this sign-in is rejected, and the page has no details of it', async (t) => {
  const org = await newOrganization(app);
  const forgeries = {
    'another nonce': { claims: { nonce: 'x'.repeat(43) } },
    'no nonce': { claims: { nonce: undefined } },
    'another audience': { claims: { aud: 'another' } },
    'another authorized party': { claims: { aud: ['runward', 'another'], azp: 'another' } },
    'another issuer': { claims: { iss: provider('two').issuer } },
    'an expired token': { claims: { iat: seconds() - 900, exp: seconds() - 90 } },
    'a foreign signature': { foreignKey: true },
    'no subject': { claims: { sub: undefined } },
    'a subject that cannot be stored': { claims: { sub: 'a\u0000b' } },
    'a subject that is too long': { claims: { sub: 'x'.repeat(300) } },
  };
  for (const [name, script] of Object.entries(forgeries)) {
    const browser = newBrowser();
    const parameters = await begin(browser, 'one', person(org.ownerEmail));
    provider('one').script = script;
    const { status, html } = await comeBack(browser, 'one', parameters);
    t.is(status, 400, name);
    t.regex(html, /The response of Provider one was not accepted[^]*Request [0-9a-f-]{36}/, name);
    t.notRegex(html, /eyJ[\w-]+\./, `${name} shows a token`);
    t.false(browser.client.cookies.has('flow_session'), name);
  }
  provider('one').script = { claims: { iat: seconds() - 330, exp: seconds() - 30 } };
  const browser = newBrowser();
  const late = await comeBack(browser, 'one', await begin(browser, 'one', person(org.ownerEmail)));
  t.is(late.status, 303, 'clocks may differ by a minute');
});

serial('a response whose state, code or issuer is not that of this browser is rejected', async (t) => {
  const org = await newOrganization(app);
  const claims = person(org.ownerEmail);
  const attempts: [string, (parameters: URLSearchParams) => URLSearchParams, RegExp][] = [
    ['another state', (own) => changed(own, { state: 'x'.repeat(43) }), /begun in another browser/],
    ['an unknown code', (own) => changed(own, { code: 'unknown' }), /was not accepted/],
    ['another issuer', (own) => changed(own, { iss: provider('two').issuer }), /was not accepted/],
    ['no parameters', () => new URLSearchParams(), /begun in another browser/],
  ];
  for (const [name, change, message] of attempts) {
    const browser = newBrowser();
    const { status, html } = await comeBack(browser, 'one', change(await begin(browser, 'one', claims)));
    t.is(status, 400, name);
    t.regex(html, message, name);
    t.false(browser.client.cookies.has('flow_session'), name);
  }
  const without = newBrowser();
  const parameters = await begin(without, 'one', claims);
  parameters.delete('iss');
  t.is((await comeBack(without, 'one', parameters)).status, 400, 'the provider says that it names itself');

  const [victim, attacker] = [newBrowser(), newBrowser()];
  const ofAttacker = await begin(attacker, 'one', claims);
  t.is((await comeBack(victim, 'one', ofAttacker)).status, 400, 'the browser has begun nothing');
  const ofVictim = await begin(victim, 'one', claims);
  t.is((await comeBack(victim, 'one', ofAttacker)).status, 400, 'the browser has begun another sign-in');
  const stolenCode = changed(ofVictim, { code: ofAttacker.get('code') ?? '' });
  t.is((await comeBack(victim, 'one', stolenCode)).status, 400, 'the code belongs to another sign-in');
  t.false(victim.client.cookies.has('flow_session'));
  t.is((await comeBack(attacker, 'one', ofAttacker)).status, 400, 'the code was redeemed in vain');
});

serial('a response of one provider does not count as that of another', async (t) => {
  const org = await newOrganization(app);
  const browser = newBrowser();
  const parameters = await begin(browser, 'one', person(org.ownerEmail));
  const { status, html } = await comeBack(browser, 'two', parameters);
  t.is(status, 400);
  t.regex(html, /begun in another browser/);
  t.is(provider('two').received.filter(({ url }) => url === '/token').length, 0, 'the code was not given away');
  t.is((await comeBack(browser, 'one', parameters)).status, 303, 'the sign-in itself still works');
});

serial('a sign-in that was completed is not completed again, also by a copy of the browser', async (t) => {
  const org = await newOrganization(app);
  const browser = newBrowser();
  const claims = person(org.ownerEmail);
  const parameters = await begin(browser, 'one', claims);
  const attempt = browser.client.cookies.get('flow_sign_in') ?? '';
  t.is((await comeBack(browser, 'one', parameters)).status, 303);
  const repeated = await comeBack(browser, 'one', parameters);
  t.is(repeated.status, 400);
  t.regex(repeated.html, /was already completed/);
  t.is((await browser.client.get('/auth/session')).status, 200, 'the session goes on');

  const copy = newBrowser();
  copy.client.cookies.set('flow_sign_in', attempt);
  t.is((await comeBack(copy, 'one', parameters)).status, 400, 'the code is spent');
  // A provider that accepts codes twice.
  copy.client.cookies.set('flow_sign_in', attempt);
  const again = respondAgain(attempt, claims);
  const { status, html } = await comeBack(copy, 'one', again);
  t.is(status, 400);
  t.regex(html, /was already completed/);
  t.false(copy.client.cookies.has('flow_session'));
});

serial('a sign-in ends after ten minutes, and its cookie cannot be changed', async (t) => {
  const org = await newOrganization(app);
  const claims = person(org.ownerEmail);
  const comeBackAfter = async (minutes: number, change = (text: string) => text) => {
    const startedAt = new Date(Date.now() - minutes * 60_000);
    const attempt = newAttempt({ provider: 'one', next: '/console', startedAt });
    const browser = newBrowser();
    // The provider must be known.
    await browser.client.get('/sign-in/one');
    browser.client.cookies.set('flow_sign_in', change(attempt));
    return (await comeBack(browser, 'one', respondAgain(attempt, claims))).status;
  };
  t.is(await comeBackAfter(9), 303);
  t.is(await comeBackAfter(11), 400);
  const prolong = (text: string) => {
    const [slug, next, , secret] = JSON.parse(Buffer.from(text, 'base64url').toString()) as unknown[];
    return Buffer.from(JSON.stringify([slug, next, Date.now(), secret])).toString('base64url');
  };
  t.is(await comeBackAfter(11, prolong), 400);
  for (const nonsense of ['', 'x', 'bnVsbA', 'W10', 'e30']) t.is(await comeBackAfter(1, () => nonsense), 400, nonsense);
});

serial('signing in with a provider leads to a page of this service only', async (t) => {
  const org = await newOrganization(app);
  const claims = person(org.ownerEmail);
  for (const [next, wanted] of [
    ['/console/runs?status=ACTIVE', '/console/runs?status=ACTIVE'],
    ['https://evil.example', '/console'],
    ['//evil.example/p', '/console'],
    ['/\\evil.example', '/console'],
    ['/auth/logout', '/console'],
    ['javascript:alert(1)', '/console'],
  ] as const) {
    const browser = newBrowser();
    const response = await comeBack(browser, 'one', await begin(browser, 'one', claims, next));
    t.deepEqual([response.status, response.headers.get('location')], [303, wanted], next);
  }
});

serial('the cookie of a sign-in is for this browser, the pages of signing in, and ten minutes', async (t) => {
  const response = await newBrowser().client.get('/sign-in/one');
  t.is(response.status, 303);
  const [cookie = ''] = response.headers.getSetCookie();
  t.regex(cookie, /^flow_sign_in=[\w-]+; path=\/sign-in; expires=[^;]+; samesite=lax; httponly$/);
  const expires = Date.parse(/expires=([^;]+)/.exec(cookie)?.[1] ?? '');
  t.true(Math.abs(expires - Date.now() - 600_000) < 10_000);
});
