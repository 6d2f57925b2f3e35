import { randomUUID } from 'node:crypto';
import { useApp } from '@runward/testing/app';
import { newTraveller } from '@runward/testing/openid/browser';
import { startProvider, type TestProvider } from '@runward/testing/openid/provider';
import { newOrganization, type TestOrganization } from '@runward/testing/organization';
import { newClient } from '@runward/testing/page-client';
import type { TestFn } from 'ava';
import type { ProviderSettings } from '../../src/sign-in-settings.ts';

/** The settings of a provider with what is usual. */
export function settingsOf(
  own: Pick<ProviderSettings, 'slug' | 'issuer'> & Partial<ProviderSettings>,
): ProviderSettings {
  return {
    name: `Provider ${own.slug}`,
    clientId: 'runward',
    clientSecret: undefined,
    scopes: 'openid profile email',
    organizationId: undefined,
    createsMembers: false,
    defaultRole: 'MEMBER',
    groupsClaim: undefined,
    trustsEmail: false,
    ...own,
  };
}

/** A service with a real provider for a test file. It is filled in when the tests begin. */
export interface SingleSignOn {
  readonly provider: TestProvider;
  /** The organization to which the provider `acme` adds people, with the groups of the claim. */
  readonly org: TestOrganization;
}

/**
 * Starts the service with three entries for one real provider: `any` signs in members of all organizations, `acme` adds
 * people to one, and `trusting` trusts all addresses.
 */
export function useSingleSignOn(test: TestFn) {
  const sso: Partial<{ -readonly [Name in keyof SingleSignOn]: SingleSignOn[Name] }> = {};
  const app = useApp(test, {
    signIn: async ({ baseUrl, provision }) => {
      const provider = await startProvider();
      sso.provider = provider;
      sso.org = await newOrganization({ baseUrl, provision });
      const entry = async (slug: string, own: Partial<ProviderSettings> = {}) => {
        const { id, secret } = await provider.register({
          redirectUri: `${baseUrl}/sign-in/${slug}/callback`,
          logoutUri: `${baseUrl}/auth/oidc/${slug}/back-channel-logout`,
        });
        return settingsOf({ slug, issuer: provider.issuer, clientId: id, clientSecret: secret, ...own });
      };
      const scopes = 'openid profile email groups';
      const { organizationId } = sso.org;
      return {
        byPassword: true,
        providers: [
          await entry('any'),
          await entry('acme', { organizationId, createsMembers: true, groupsClaim: 'groups', scopes }),
          await entry('trusting', { trustsEmail: true }),
        ],
      };
    },
  });
  test.after.always(() => sso.provider?.[Symbol.asyncDispose]());
  const newBrowser = () => newTraveller(newClient(app), app.baseUrl);
  return {
    app,
    sso: sso as SingleSignOn,
    newBrowser,
    /** Adds an account to the provider and says its subject. */
    account: async (claims: Readonly<Record<string, unknown>>): Promise<string> => {
      const subject = randomUUID();
      await sso.provider?.account(subject, claims);
      return subject;
    },
    /** Signs a person in and says where the browser arrives. */
    signIn: async (slug: string, subject: string, { browser = newBrowser(), next = '' } = {}) => {
      await sso.provider?.next(subject);
      return { browser, ...(await browser.travel(`/sign-in/${slug}?next=${encodeURIComponent(next)}`)) };
    },
  };
}
