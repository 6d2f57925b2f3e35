import type { RequestContext } from './request-context.ts';
import { User } from '../organization/entities/user.ts';
import { lockGroup } from './lock-row.ts';
import { badRequest } from '../api-error.ts';

/**
 * Throws a 400 where the user or group that is to get a task is not of the organization; `path` leads to the two fields. The group
 * cannot be deleted before the transaction ends.
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
  if (assigneeGroupId != null && !(await lockGroup(em, organizationId, assigneeGroupId, 'uses'))) {
    throw badRequest([`${path}assigneeGroupId: not a group of this organization; see GET /groups`]);
  }
}
