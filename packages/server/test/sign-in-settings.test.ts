import test from 'ava';
import { ConfigError, readConfig } from '../src/config.ts';

const organization = '019d3f5e-0000-7000-8000-000000000001';
const usual = {
  BASE_URL: 'https://runward.example.com',
  OIDC_ISSUER: 'https://login.example.com',
  OIDC_CLIENT_ID: 'runward',
};
const read = (env: Record<string, string>) => readConfig({ ...usual, ...env }).signIn;

function problemsOf(env: Record<string, string | undefined>): string[] {
  try {
    readConfig({ ...usual, ...env });
    return [];
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return error.message
      .split('\n')
      .slice(1)
      .map((line) => line.trim());
  }
}

test('without settings members sign in by password alone', (t) => {
  t.deepEqual(readConfig({}).signIn, { byPassword: true, providers: [] });
});

test('one provider needs an issuer and a client, and has defaults for the rest', (t) => {
  t.deepEqual(read({}).providers, [
    {
      slug: 'sso',
      name: 'single sign-on',
      issuer: 'https://login.example.com',
      clientId: 'runward',
      clientSecret: undefined,
      scopes: 'openid profile email',
      organizationId: undefined,
      createsMembers: false,
      defaultRole: 'MEMBER',
      groupsClaim: undefined,
      trustsEmail: false,
    },
  ]);
  t.false(read({ PASSWORD_SIGN_IN: 'false' }).byPassword);
});

test('further providers have a name in their variables, which is in their paths', (t) => {
  const { providers } = read({
    OIDC_GOOGLE_ISSUER: 'https://accounts.google.com',
    OIDC_GOOGLE_CLIENT_ID: 'id',
    OIDC_GOOGLE_CLIENT_SECRET: 'secret',
    OIDC_A_ISSUER: 'http://127.0.0.1:8080/realms/a',
    OIDC_A_CLIENT_ID: 'id',
    OIDC_A_NAME: 'Acme',
    OIDC_A_ORGANIZATION: organization,
    OIDC_A_CREATE_MEMBERS: 'true',
    OIDC_A_DEFAULT_ROLE: 'ADMIN',
    OIDC_A_GROUPS_CLAIM: 'groups',
    OIDC_A_TRUST_EMAIL: 'true',
  });
  t.deepEqual(
    providers.map(({ slug, name, clientSecret }) => [slug, name, clientSecret]),
    [
      ['sso', 'single sign-on', undefined],
      ['google', 'Google', 'secret'],
      ['a', 'Acme', undefined],
    ],
  );
  t.like(providers[2], { organizationId: organization, createsMembers: true, defaultRole: 'ADMIN', trustsEmail: true });
});

test('each wrong setting of a provider is reported by the name of its variable, with what to do', (t) => {
  const cases: [Record<string, string | undefined>, RegExp][] = [
    [{ OIDC_ISSUER: undefined }, /^OIDC_ISSUER: must be set/],
    [{ OIDC_CLIENT_ID: undefined }, /^OIDC_CLIENT_ID: must be set/],
    [{ OIDC_ISSUER: 'http://login.example.com' }, /^OIDC_ISSUER: must be an https URL/],
    [{ OIDC_ISSUER: 'http://127.0.0.1.example.com' }, /^OIDC_ISSUER: must be an https URL/],
    [{ OIDC_ISSUER: 'https://login.example.com?a=b' }, /^OIDC_ISSUER: must be an https URL/],
    [{ OIDC_ORGANIZATION: 'acme' }, /^OIDC_ORGANIZATION: must be the id of an organization/],
    [{ OIDC_CREATE_MEMBERS: 'true' }, /^OIDC_ORGANIZATION: must be set with CREATE_MEMBERS=true/],
    [{ OIDC_CREATE_MEMBERS: 'yes' }, /^OIDC_CREATE_MEMBERS: must be true or false/],
    [{ OIDC_DEFAULT_ROLE: 'OWNER' }, /^OIDC_DEFAULT_ROLE: must be ADMIN, MEMBER, VIEWER, GUEST/],
    [{ OIDC_SCOPES: 'email' }, /^OIDC_SCOPES: must contain openid/],
    [{ OIDC_ISSUERS: 'x' }, /^OIDC_ISSUERS: unknown; a setting of a provider is OIDC_ISSUER or OIDC_<NAME>_ISSUER/],
    [{ OIDC_A_B_ISSUER: 'x' }, /^OIDC_A_B_ISSUER: unknown/],
    [{ OIDC_A_NAME: 'Acme', OIDC_A_CLIENT_ID: 'id' }, /^OIDC_A_ISSUER: must be set/],
    [
      { OIDC_RESUME_ISSUER: 'https://a.example', OIDC_RESUME_CLIENT_ID: 'id' },
      /^OIDC_RESUME_ISSUER: must have another name/,
    ],
    [{ BASE_URL: undefined }, /^BASE_URL: must be set with a provider/],
    [
      { OIDC_ISSUER: undefined, OIDC_CLIENT_ID: undefined, PASSWORD_SIGN_IN: 'false' },
      /^PASSWORD_SIGN_IN: must not be false without a provider/,
    ],
  ];
  for (const [env, problem] of cases) {
    const problems = problemsOf(env);
    t.is(problems.length, 1, JSON.stringify(problems));
    t.regex(problems[0] ?? '', problem);
  }
  t.regex(problemsOf({ ODIC_ISSUER: 'x' })[0] ?? '', /^ODIC_ISSUER: unknown; did you mean OIDC_ISSUER\?$/);
});
