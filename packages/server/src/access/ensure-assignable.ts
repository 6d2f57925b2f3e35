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
    throw badRequest([`${path}assigneeId: is no active member of the organization; see the list of users`]);
  }
  if (assigneeGroupId != null && !(await lockGroup(em, organizationId, assigneeGroupId, 'uses'))) {
    throw badRequest([`${path}assigneeGroupId: is no group of the organization`]);
  }
}
