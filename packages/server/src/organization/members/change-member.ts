import type { Actor } from '../../access/actor.ts';
import type { RequestContext } from '../../access/request-context.ts';
import { badRequest, forbidden, found } from '../../api-error.ts';
import { recordChange } from '../../audit-log/record-change.ts';
import { lockRow } from '../../database/lock-row.ts';
import { userProperties, userTarget } from '../audited.ts';
import { Organization } from '../entities/organization.ts';
import { User } from '../entities/user.ts';
import { endAccess } from './end-access.ts';
import { resourceModeFor } from './resource-mode.ts';

/** The properties of a member that can be changed. */
export type MemberChanges = {
  readonly [Name in 'name' | 'role' | 'resourceMode' | 'status' | 'passwordHash']?: User[Name] | undefined;
};

/**
 * Changes a member. A new password or a deactivation ends all sessions of the member, and revokes
 * their link to set a password. Throws a 404, 403 or 400. Changes
 * to the members of an organization wait for each other, so that it never loses its last owner.
 */
export async function changeMember(context: RequestContext, id: string, changes: MemberChanges): Promise<User> {
  const { em, actor } = context;
  const { organizationId } = actor;
  await lockRow(em, Organization, { id: organizationId }, 'no key update');
  const member = found(await em.findOne(User, { id, organizationId }), 'User');
  ensureMayAssignRole(actor, member.role);
  if (changes.role) ensureMayAssignRole(actor, changes.role);

  const {
    name = member.name,
    role = member.role,
    status = member.status,
    passwordHash = member.passwordHash,
  } = changes;
  if (status === 'DEACTIVATED' && id === actor.userId) {
    throw badRequest('own_account', 'You cannot deactivate yourself; ask another owner or admin.');
  }
  if (isActiveOwner(member) && !isActiveOwner({ role, status })) {
    const others = await em.count(User, { organizationId, role: 'OWNER', status: 'ACTIVE', id: { $ne: id } });
    if (others === 0) {
      throw badRequest(
        'last_owner',
        'This is the last active owner of the organization; make another member an owner first.',
      );
    }
  }

  const before = userProperties(member);
  const resourceMode = resourceModeFor(role, { wanted: changes.resourceMode, current: member.resourceMode });
  Object.assign(member, { name, role, resourceMode, status, passwordHash });
  await em.flush();
  if (changes.passwordHash !== undefined || status === 'DEACTIVATED') {
    await endAccess(em, { organizationId, userId: id });
  }
  const target = userTarget(member);
  await recordChange(context, { action: 'user.updated', target, before, after: userProperties(member) });
  if (changes.passwordHash !== undefined) await recordChange(context, { action: 'user.password_set', target });
  return member;
}

/** Throws a 403 if the caller may not add or change a member with this role: only owners may add and change owners. */
export function ensureMayAssignRole(actor: Pick<Actor, 'role'>, role: User['role']): void {
  if (role === 'OWNER' && actor.role !== 'OWNER') {
    throw forbidden(
      'insufficient_role',
      'Only owners of the organization may add or change an owner; ask one of them.',
    );
  }
}

function isActiveOwner({ role, status }: Pick<User, 'role' | 'status'>): boolean {
  return role === 'OWNER' && status === 'ACTIVE';
}
