import * as oidc from 'openid-client';
import { isInsecureIssuer, type ProviderSettings } from '../../sign-in-settings.ts';
import { requestSeconds, type ProviderHttp } from './provider-fetch.ts';

/** Reads what a provider says about itself. Throws an error of the library or of the connection. */
export async function discover(
  { issuer, clientId }: Pick<ProviderSettings, 'issuer' | 'clientId'>,
  http: ProviderHttp,
): Promise<oidc.ServerMetadata> {
  const discovered = await oidc.discovery(new URL(issuer), clientId, undefined, oidc.None(), {
    [oidc.customFetch]: http.fetch,
    timeout: requestSeconds,
    execute: isInsecureIssuer(issuer) ? [oidc.allowInsecureRequests] : [],
  });
  return discovered.serverMetadata();
}
