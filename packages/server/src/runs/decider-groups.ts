import type { RequestContext } from '../access/request-context.ts';
import { forbidden } from '../api-error.ts';
import { GroupMember } from '../organization/entities/group-member.ts';
import { User } from '../organization/entities/user.ts';

/** The groups that the member who decides on an approval belongs to now. Throws a 403 if the member was deactivated meanwhile. */
export async function deciderGroups(
  { em, actor: { organizationId } }: Pick<RequestContext, 'em' | 'actor'>,
  userId: string,
): Promise<string[]> {
  const isActive = await em.count(User, { organizationId, id: userId, status: 'ACTIVE' });
  if (isActive === 0) throw forbidden('The member who approves is deactivated; ask another approver.');
  const memberships = await em.find(GroupMember, { organizationId, userId }, { disableIdentityMap: true });
  return memberships.map(({ groupId }) => groupId);
}
