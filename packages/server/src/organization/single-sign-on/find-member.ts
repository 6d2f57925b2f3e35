import { contract } from '@runward/contract';
import type { RequestContext } from '../../access/request-context.ts';
import type { ProviderClaims } from '../../adapters/openid/claims.ts';
import { forbidden } from '../../api-error.ts';
import { recordChange } from '../../audit-log/record-change.ts';
import { lockRow } from '../../database/lock-row.ts';
import { newId } from '../../ids.ts';
import type { ProviderSettings } from '../../sign-in-settings.ts';
import { userTarget } from '../audited.ts';
import { Identity } from '../entities/identity.ts';
import { Organization } from '../entities/organization.ts';
import { User } from '../entities/user.ts';
import { createUser } from '../members/create-user.ts';

/** A person whom a provider has signed in. */
export interface ProviderAccount {
  readonly settings: ProviderSettings;
  readonly claims: ProviderClaims;
}

/** What finding a member needs of the request. */
export type FindingContext = Pick<RequestContext, 'em' | 'now' | 'browser'>;

/** Who adds and links members here: somebody who is not signed in yet. */
const stranger = { type: 'ANONYMOUS', userId: null, apiKeyId: null } as const;

/**
 * The account of a member. At the first sign-in it is linked to the member with the same verified address, or to a new
 * one. Throws a 403 that says what to do if nobody may sign in. The caller must commit.
 */
export async function findMember(
  context: FindingContext,
  account: ProviderAccount,
): Promise<{ readonly identity: Identity; readonly user: User }> {
  const { em } = context;
  const { settings, claims } = account;
  const known = await em.findOne(Identity, { issuer: settings.issuer, subject: claims.subject });
  if (!known || !(await isStillLinked(context, known)))
    return link(context, account, (await memberByEmail(context, account)) ?? (await addMember(context, account)));
  const user = await em.findOneOrFail(User, { organizationId: known.organizationId, id: known.userId });
  ensureMaySignIn(user, settings);
  return { identity: known, user };
}

/** Whether an account was not unlinked since it was read. Until the caller commits, unlinking it has to wait. */
async function isStillLinked({ em }: FindingContext, { organizationId, id }: Identity): Promise<boolean> {
  return lockRow(em, Identity, { organizationId, id }, 'no key update');
}

function ensureMaySignIn(user: User, { organizationId, name }: ProviderSettings): void {
  if (organizationId !== undefined && user.organizationId !== organizationId) {
    throw forbidden(
      'sign_in_rejected',
      `Your account belongs to another organization than the one that ${name} signs in to.`,
    );
  }
  if (user.status !== 'ACTIVE')
    throw forbidden('sign_in_rejected', 'Your account is deactivated; ask an administrator of your organization.');
}

/** The member with the address of the account. Throws a 403 if the account must not be linked to it. */
async function memberByEmail(
  { em }: FindingContext,
  { settings, claims: { email, emailVerified } }: ProviderAccount,
): Promise<User | null> {
  const { name, issuer } = settings;
  if (email === null) {
    throw forbidden(
      'sign_in_rejected',
      `${name} did not tell your email address; ask its administrator to release the claim "email".`,
    );
  }
  if (!emailVerified) {
    throw forbidden(
      'sign_in_rejected',
      `${name} does not say that your email address is verified, so your account cannot be linked. Verify the address ` +
        `there, or ask an administrator, then sign in again.`,
    );
  }
  const user = await em.findOne(User, { email });
  if (!user) return null;
  ensureMaySignIn(user, settings);
  const other = await em.count(Identity, { organizationId: user.organizationId, userId: user.id, issuer });
  if (other > 0) {
    throw forbidden(
      'sign_in_rejected',
      `The member with your email address signs in with another account of ${name}; ask an administrator to unlink it.`,
    );
  }
  return user;
}

async function addMember(context: FindingContext, { settings, claims }: ProviderAccount): Promise<User> {
  const { em } = context;
  const { organizationId, createsMembers, defaultRole: role } = settings;
  const organization = organizationId === undefined ? null : await em.findOne(Organization, { id: organizationId });
  const given = { email: claims.email, name: claims.name ?? claims.email };
  const { data } = contract.users.create.body.safeParse(given);
  if (!createsMembers || !organization || !data) {
    throw forbidden(
      'sign_in_rejected',
      'There is no member with your email address; ask an administrator of your organization to add you.',
    );
  }
  const { email, name } = data;
  const actor = { ...stranger, organizationId: organization.id };
  return createUser({ ...context, actor }, { email, name, role, passwordHash: null });
}

async function link(context: FindingContext, { settings, claims }: ProviderAccount, user: User) {
  const { em, now } = context;
  const { organizationId } = user;
  const identity = em.create(Identity, {
    organizationId,
    id: newId(),
    userId: user.id,
    issuer: settings.issuer,
    subject: claims.subject,
    groupIds: [],
    createdAt: now,
    lastUsedAt: now,
  });
  await em.flush();
  const after = { issuer: settings.issuer, subject: claims.subject };
  const actor = { ...stranger, organizationId };
  await recordChange({ ...context, actor }, { action: 'user.identity_linked', target: userTarget(user), after });
  return { identity, user };
}
