import type { ProviderSettings } from '../../sign-in-settings.ts';
import { ProviderError } from './provider-error.ts';

/** Whom a provider has signed in. */
export interface ProviderClaims {
  readonly subject: string;
  /** The session at the provider; null if it did not name one. */
  readonly sessionId: string | null;
  /** In lower case; null if the provider did not say. */
  readonly email: string | null;
  /** Whether the provider vouches for the address. */
  readonly emailVerified: boolean;
  readonly name: string | null;
  /** The names of groups; null if memberships must stay as they are. */
  readonly groups: readonly string[] | null;
}

type Claims = Readonly<Record<string, unknown>>;

/** Whether an ID token has all claims that are used, so that the provider need not be asked again. */
export function isComplete(claims: Claims, { groupsClaim, trustsEmail }: ProviderSettings): boolean {
  const needed = [
    'email',
    ...(trustsEmail ? [] : ['email_verified']),
    ...(groupsClaim === undefined ? [] : [groupsClaim]),
  ];
  return needed.every((name) => claims[name] !== undefined);
}

/**
 * The claims of an ID token and of the userinfo endpoint. An address and whether it is verified come from one of them,
 * because they may name different addresses.
 */
export function mergedClaims(token: Claims, userinfo: Claims): Claims {
  const sid = token['sid'];
  const hasEmail = userinfo['email'] !== undefined;
  return { ...token, ...userinfo, sid, email_verified: (hasEmail ? userinfo : token)['email_verified'] };
}

/** The claims as the service uses them. Throws a ProviderError for ids that cannot be stored. */
export function claimsOf(claims: Claims, settings: ProviderSettings): ProviderClaims {
  const verified = claims['email_verified'];
  return {
    subject: idOf('sub', claims['sub']) ?? '',
    sessionId: idOf('sid', claims['sid']),
    email: textOf(claims['email'])?.toLowerCase() ?? null,
    // Some providers send it as text.
    emailVerified: verified === true || verified === 'true' || (settings.trustsEmail && verified === undefined),
    name: textOf(claims['name']) ?? textOf(claims['preferred_username']),
    groups: groupsOf(claims, settings),
  };
}

/**
 * The names in the claim for groups. A person in no group has no claim. Entra ID also leaves the claim out if there are
 * too many groups, and says so; nothing is known about the groups then.
 */
function groupsOf(claims: Claims, { groupsClaim }: ProviderSettings): readonly string[] | null {
  if (groupsClaim === undefined) return null;
  const elsewhere = claims['_claim_names'];
  const isElsewhere = typeof elsewhere === 'object' && elsewhere !== null && Object.hasOwn(elsewhere, groupsClaim);
  const value = claims[groupsClaim];
  if (value === undefined && (isElsewhere || claims['hasgroups'] === true)) return null;
  return [value ?? []].flat().filter((name) => typeof name === 'string');
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : null;
}

/** An id as the provider compares it, which must not be changed. Null if there is none. */
function idOf(claim: string, value: unknown): string | null {
  if (value === undefined) return null;
  if (typeof value === 'string' && /^[\x20-\x7e]{1,255}$/.test(value)) return value;
  throw new ProviderError('rejected', `${claim} must be 1 to 255 characters of ASCII`);
}
