import type { RequestContext } from './request-context.ts';
import { lockRow } from '../database/lock-row.ts';
import { Group } from '../organization/entities/group.ts';
import { User } from '../organization/entities/user.ts';
import { badRequest } from '../api-error.ts';

/**
 * Throws a 400 if the assignee of a task is not an active member, or not a group, of the organization; `path` leads to the two fields. The
 * group cannot be deleted before the transaction ends.
 */
export async function ensureAssignable(
  { em, actor: { organizationId } }: Pick<RequestContext, 'em' | 'actor'>,
  {
    assigneeId,
    assigneeGroupId,
  }: { assigneeId?: string | null | undefined; assigneeGroupId?: string | null | undefined },
  path = '',
): Promise<void> {
  if (assigneeId != null && !(await em.count(User, { id: assigneeId, organizationId, status: 'ACTIVE' }))) {
    throw badRequest([`${path}assigneeId: not an active member of this organization; see GET /users`]);
  }
  if (assigneeGroupId == null) return;
  const group = { organizationId, id: assigneeGroupId, deletedAt: null };
  if (!(await lockRow(em, Group, group, 'key share'))) {
    throw badRequest([`${path}assigneeGroupId: not a group of this organization; see GET /groups`]);
  }
}
