import * as oidc from 'openid-client';
import { isInsecureIssuer, type ProviderSettings } from '../../sign-in-settings.ts';
import { claimsOf, isComplete, mergedClaims, type ProviderClaims } from './claims.ts';
import { failureIn } from './describe-failure.ts';
import { discover } from './discover.ts';
import { logoutTokenVerifier, type LogoutToken } from './logout-token.ts';
import { clockToleranceSeconds, requestSeconds, type ProviderHttp } from './provider-fetch.ts';

/** What the sign-in must repeat, so that nobody else can complete it. */
export interface Proofs {
  readonly state: string;
  readonly nonce: string;
  readonly codeVerifier: string;
}

/** An OpenID Connect provider. Its functions throw a ProviderError. */
export interface IdentityProvider {
  readonly settings: ProviderSettings;
  /** The URL of the provider to which a browser is sent. It returns to `redirectUri`. */
  authorizationUrl(redirectUri: string, proofs: Proofs): Promise<string>;
  /** Exchanges the code in the URL to which a browser has returned, and says whom the provider has signed in. */
  signedIn(url: URL, proofs: Proofs): Promise<ProviderClaims>;
  /** Verifies a logout token (OpenID Connect Back-Channel Logout 1.0). */
  verifyLogoutToken(token: string): Promise<LogoutToken>;
}

/** How long what a provider says about itself is kept. If it then cannot be reached, it is kept longer. */
const metadataMs = 3_600_000;

/** Makes the client of a provider. The provider is asked for its metadata when it is first needed. */
export function createIdentityProvider(settings: ProviderSettings, http: ProviderHttp): IdentityProvider {
  const { clientId, scopes } = settings;
  const readMetadata = metadataReader(settings, http);
  const verifyLogout = logoutTokenVerifier(settings, http);
  return {
    settings,
    authorizationUrl: async (redirectUri, { state, nonce, codeVerifier }) => {
      const config = configure(settings, http, await readMetadata());
      const url = oidc.buildAuthorizationUrl(config, {
        redirect_uri: redirectUri,
        scope: scopes,
        state,
        nonce,
        code_challenge: await oidc.calculatePKCECodeChallenge(codeVerifier),
        code_challenge_method: 'S256',
        client_id: clientId,
      });
      return url.href;
    },
    signedIn: async (url, { state, nonce, codeVerifier }) => {
      const metadata = await readMetadata();
      const config = configure(settings, http, metadata);
      const checks = { expectedState: state, expectedNonce: nonce, pkceCodeVerifier: codeVerifier };
      const tokens = await oidc.authorizationCodeGrant(config, url, checks).catch((error: unknown) => {
        throw failureIn('code exchange', error);
      });
      const claims: Readonly<Record<string, unknown>> = tokens.claims() ?? {};
      if (isComplete(claims, settings) || metadata.userinfo_endpoint === undefined) return claimsOf(claims, settings);
      const subject = String(claims['sub']);
      const more = await oidc.fetchUserInfo(config, tokens.access_token, subject).catch((error: unknown) => {
        throw failureIn('userinfo', error);
      });
      return claimsOf(mergedClaims(claims, more), settings);
    },
    verifyLogoutToken: async (token) => verifyLogout(token, await readMetadata()),
  };
}

/**
 * The configuration for one sign-in. A new one has no keys of the provider yet and reads them, so that a key counts as
 * soon as the provider publishes it.
 */
function configure(settings: ProviderSettings, http: ProviderHttp, metadata: oidc.ServerMetadata) {
  const { clientId, issuer } = settings;
  const own = { [oidc.clockTolerance]: clockToleranceSeconds };
  const config = new oidc.Configuration(metadata, clientId, own, authenticationOf(settings, metadata));
  config[oidc.customFetch] = http.fetch;
  config.timeout = requestSeconds;
  if (isInsecureIssuer(issuer)) oidc.allowInsecureRequests(config);
  // Verifies the signature of the ID token, too, although it comes from the provider itself.
  oidc.enableNonRepudiationChecks(config);
  return config;
}

/** How the service authenticates: as the provider supports it, with the header if it does not say. */
function authenticationOf({ clientSecret }: ProviderSettings, metadata: oidc.ServerMetadata): oidc.ClientAuth {
  if (clientSecret === undefined) return oidc.None();
  const supported = metadata.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
  return supported.includes('client_secret_basic')
    ? oidc.ClientSecretBasic(clientSecret)
    : oidc.ClientSecretPost(clientSecret);
}

/** Makes a function that returns what the provider says about itself. Callers that wait for it share a request. */
function metadataReader(settings: ProviderSettings, http: ProviderHttp) {
  let known: { readonly metadata: oidc.ServerMetadata; readonly at: number } | undefined;
  let reading: Promise<oidc.ServerMetadata> | undefined;
  const read = async () => {
    try {
      known = { metadata: await discover(settings, http), at: performance.now() };
      return known.metadata;
    } catch (error) {
      if (known) return known.metadata;
      throw failureIn('discovery', error);
    } finally {
      reading = undefined;
    }
  };
  return async () => {
    if (known && performance.now() - known.at < metadataMs) return known.metadata;
    return (reading ??= read());
  };
}
