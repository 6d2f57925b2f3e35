import type { MemberResourceMode } from '@runward/contract';
import { recordChange, type AuditContext } from '../../audit-log/record-change.ts';
import { newId } from '../../ids.ts';
import { userProperties, userTarget } from '../audited.ts';
import { User } from '../entities/user.ts';
import { resourceModeFor } from './resource-mode.ts';

/** A member to add. Without a password, they need a link or a provider to sign in. */
interface NewUser extends Pick<User, 'email' | 'name' | 'role' | 'passwordHash'> {
  readonly resourceMode?: MemberResourceMode | undefined;
}

/** Adds a member, by default with the first resource mode of the role (400 for one that the role does not have). */
export async function createUser(context: AuditContext, { resourceMode: wanted, ...member }: NewUser): Promise<User> {
  const { em, now, actor } = context;
  const ids = { id: newId(), organizationId: actor.organizationId };
  const resourceMode = resourceModeFor(member.role, { wanted });
  const user = em.create(User, { ...ids, ...member, resourceMode, status: 'ACTIVE', createdAt: now });
  await em.flush();
  const after = userProperties(user);
  await recordChange(context, { action: 'user.created', target: userTarget(user), after });
  return user;
}
