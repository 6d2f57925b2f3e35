import type { RequestContext } from './request-context.ts';
import { lockRow } from '../database/lock-row.ts';
import { Group } from '../organization/entities/group.ts';
import { badRequest } from '../api-error.ts';

/** Whom a task is assigned to, as a caller sends it; `path` leads to the two fields. */
export interface Assignment {
  readonly path?: string;
  readonly assigneeId?: string | null | undefined;
  readonly assigneeGroupId?: string | null | undefined;
}

/**
 * Throws a 400 if the assignee of a task is not an active member, or not a group, of the organization; `path` leads to the two fields. The
 * group cannot be deleted before the transaction ends.
 */
export async function ensureAssignable(
  context: Pick<RequestContext, 'em' | 'actor'>,
  assignment: Assignment,
  path = '',
): Promise<void> {
  const problems = await assigneeProblems(context, [{ ...assignment, path }]);
  if (problems.length > 0) throw badRequest(problems);
}

/**
 * A message for each assignee that is not an active member, or not a group, of the organization. The groups cannot be deleted before the
 * transaction ends.
 */
export async function assigneeProblems(
  { em, actor: { organizationId } }: Pick<RequestContext, 'em' | 'actor'>,
  assignments: readonly Assignment[],
): Promise<string[]> {
  const userIds = new Set(assignments.flatMap(({ assigneeId }) => assigneeId ?? []));
  const groupIds = new Set(assignments.flatMap(({ assigneeGroupId }) => assigneeGroupId ?? []));
  const users = em
    .getKysely()
    .selectFrom('users')
    .where('organization_id', '=', organizationId)
    .where('id', 'in', [...userIds])
    .where('status', '=', 'ACTIVE')
    .select('id');
  const members = userIds.size === 0 ? [] : await users.execute();
  const known = new Set(members.map(({ id }) => id));
  // In one order, so that two requests do not wait for each other.
  for (const id of [...groupIds].toSorted()) {
    if (await lockRow(em, Group, { organizationId, id, deletedAt: null }, 'key share')) known.add(id);
  }
  return assignments.flatMap(({ path = '', assigneeId, assigneeGroupId }) => [
    ...(assigneeId == null || known.has(assigneeId)
      ? []
      : [`${path}assigneeId: not an active member of this organization; see GET /users`]),
    ...(assigneeGroupId == null || known.has(assigneeGroupId)
      ? []
      : [`${path}assigneeGroupId: not a group of this organization; see GET /groups`]),
  ]);
}
