import type { ProviderSettings, SignInSettings } from '../../sign-in-settings.ts';
import type { IdentityProvider } from './identity-provider.ts';
import { createProviderHttp } from './provider-fetch.ts';

/** How members sign in. */
export interface SignInMethods {
  readonly byPassword: boolean;
  readonly providers: readonly ProviderSettings[];
  /** The provider with this slug, or null. */
  open(slug: string): Promise<IdentityProvider | null>;
  /** Closes all connections to providers immediately. */
  close(): Promise<void>;
}

/** The ways to sign in that are configured. The libraries for providers are loaded when one is first used. */
export function openSignInMethods({ byPassword, providers }: SignInSettings): SignInMethods {
  const http = createProviderHttp();
  const opened = new Map<string, Promise<IdentityProvider>>();
  const create = async (settings: ProviderSettings) => {
    const { createIdentityProvider } = await import('./identity-provider.ts');
    return createIdentityProvider(settings, http);
  };
  return {
    byPassword,
    providers,
    open: async (slug) => {
      const settings = providers.find((each) => each.slug === slug);
      if (!settings) return null;
      const provider = opened.get(slug) ?? create(settings);
      opened.set(slug, provider);
      return provider;
    },
    close: () => http.close(),
  };
}
