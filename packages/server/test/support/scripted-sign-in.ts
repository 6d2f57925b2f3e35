import { randomUUID } from 'node:crypto';
import { useApp } from '@runward/testing/app';
import { deadAddress } from '@runward/testing/http-server';
import { newTraveller } from '@runward/testing/openid/browser';
import { startScriptedProvider, type ScriptedProvider } from '@runward/testing/openid/scripted-provider';
import { newClient } from '@runward/testing/page-client';
import type { TestFn } from 'ava';
import type { JWTPayload } from 'jose';
import { settingsOf } from './single-sign-on.ts';

/** Starts the service with two scripted providers, `one` and `two`, and one that cannot be reached, `dead`. */
export function useScriptedProviders(test: TestFn, { byPassword = true }: { readonly byPassword?: boolean } = {}) {
  const providers = new Map<string, ScriptedProvider>();
  const app = useApp(test, {
    signIn: async () => {
      for (const slug of ['one', 'two']) providers.set(slug, await startScriptedProvider());
      const entries = [...providers].map(([slug, { issuer }]) => settingsOf({ slug, issuer }));
      return { byPassword, providers: [...entries, settingsOf({ slug: 'dead', issuer: await deadAddress() })] };
    },
  });
  test.afterEach.always(() => {
    for (const provider of providers.values()) provider.script = {};
  });
  test.after.always(async () => {
    for (const provider of providers.values()) await provider[Symbol.asyncDispose]();
  });
  const provider = (slug: string): ScriptedProvider => {
    const found = providers.get(slug);
    if (!found) throw new Error(`There is no provider ${slug}.`);
    return found;
  };
  const newBrowser = () => newTraveller(newClient(app), app.baseUrl);
  type Browser = ReturnType<typeof newBrowser>;
  const callback = (slug: string, parameters: URLSearchParams) => `/sign-in/${slug}/callback?${parameters.toString()}`;
  /** Begins a sign-in, and says how the provider responds to it. */
  const begin = async (browser: Browser, slug: string, claims: JWTPayload, next = '') => {
    const { headers } = await browser.client.get(`/sign-in/${slug}?next=${encodeURIComponent(next)}`);
    return provider(slug).respondTo(headers.get('location') ?? '', claims);
  };
  return {
    app,
    provider,
    newBrowser,
    begin,
    /** The claims of a person whose address is verified. */
    person: (email: string): JWTPayload => ({ sub: randomUUID(), email, email_verified: true }),
    /** Returns from a provider with these parameters. */
    comeBack: (browser: Browser, slug: string, parameters: URLSearchParams) =>
      browser.client.get(callback(slug, parameters)),
  };
}
