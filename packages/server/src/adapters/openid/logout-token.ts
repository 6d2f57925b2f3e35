import { createRemoteJWKSet, customFetch, errors, jwtVerify, type JWTPayload } from 'jose';
import type { ServerMetadata } from 'openid-client';
import type { ProviderSettings } from '../../sign-in-settings.ts';
import { ProviderError } from './provider-error.ts';
import { clockToleranceSeconds, requestSeconds, type ProviderHttp } from './provider-fetch.ts';

/** Which sessions a provider has ended: one of its sessions, or all of a person. */
export interface LogoutToken {
  /** Its id, which the provider uses once. */
  readonly id: string;
  readonly subject: string | null;
  readonly sessionId: string | null;
}

const logoutEvent = 'http://schemas.openid.net/event/backchannel-logout';

/** A token is not accepted when it is older. */
const logoutTokenSeconds = 600;

/**
 * Makes a function that verifies the logout tokens of a provider with its keys, which it reads again, at most every 30
 * s, if a key is new.
 */
export function logoutTokenVerifier({ clientId }: ProviderSettings, http: ProviderHttp) {
  let keys: { readonly uri: string; readonly find: ReturnType<typeof createRemoteJWKSet> } | undefined;
  return async (token: string, metadata: ServerMetadata): Promise<LogoutToken> => {
    const { jwks_uri: uri } = metadata;
    if (uri === undefined) throw new ProviderError('unavailable', 'logout token: the provider publishes no keys');
    if (keys?.uri !== uri) {
      const options = { timeoutDuration: requestSeconds * 1_000, cacheMaxAge: 300_000, [customFetch]: http.fetch };
      keys = { uri, find: createRemoteJWKSet(new URL(uri), options) };
    }
    try {
      const { payload, protectedHeader } = await jwtVerify(token, keys.find, {
        issuer: metadata.issuer,
        audience: clientId,
        clockTolerance: clockToleranceSeconds,
        requiredClaims: ['iat', 'jti', 'events'],
        maxTokenAge: logoutTokenSeconds,
        algorithms: signingAlgorithms(metadata),
      });
      const type = protectedHeader.typ?.toLowerCase() ?? 'jwt';
      if (!['logout+jwt', 'application/logout+jwt', 'jwt'].includes(type)) throw invalid(`typ is ${type.slice(0, 40)}`);
      return contentOf(payload);
    } catch (error) {
      throw logoutError(error);
    }
  };
}

function signingAlgorithms({ id_token_signing_alg_values_supported: supported = ['RS256'] }: ServerMetadata): string[] {
  return supported.filter((algorithm) => algorithm !== 'none' && !algorithm.startsWith('HS'));
}

function contentOf({ jti, sub, sid, events, nonce }: JWTPayload): LogoutToken {
  const event =
    typeof events === 'object' && events !== null ? (events as Readonly<Record<string, unknown>>)[logoutEvent] : null;
  if (typeof event !== 'object' || event === null) throw invalid('events has no back-channel logout');
  // With a nonce it would be an ID token.
  if (nonce !== undefined) throw invalid('it has a nonce');
  const [subject, sessionId] = [sub ?? null, typeof sid === 'string' ? sid : null];
  if (subject === null && sessionId === null) throw invalid('it has neither sub nor sid');
  return { id: String(jti), subject, sessionId };
}

const invalid = (reason: string) => new ProviderError('rejected', `logout token: ${reason}`);

function logoutError(error: unknown): ProviderError {
  if (error instanceof ProviderError) return error;
  const isOutage =
    !(error instanceof errors.JOSEError) || error instanceof errors.JWKSTimeout || error.code === 'ERR_JOSE_GENERIC';
  const message = error instanceof Error ? error.message : 'failed';
  return new ProviderError(isOutage ? 'unavailable' : 'rejected', `logout token: ${message}`);
}
