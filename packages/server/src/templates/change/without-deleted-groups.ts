import { groupsIn, withoutGroups, type ProcessDocument } from '@runward/engine';
import type { RequestContext } from '../../access/request-context.ts';
import { lockRow } from '../../database/lock-row.ts';
import { Group } from '../../organization/entities/group.ts';

/**
 * A document without assignments to groups that were deleted since it was published. A draft must not name deleted
 * groups, because a group that a draft assigns something to cannot be deleted. The other groups cannot be deleted
 * before the transaction ends. Groups of approvers stay, because without them anyone could approve; publishing reports
 * deleted ones.
 */
export async function withoutDeletedGroups(
  { em, actor: { organizationId } }: Pick<RequestContext, 'em' | 'actor'>,
  document: ProcessDocument,
): Promise<ProcessDocument> {
  const deleted = new Set<string>();
  // Locked in a fixed order, so that two requests do not wait for each other.
  for (const id of [...groupsIn(document)].toSorted()) {
    if (!(await lockRow(em, Group, { organizationId, id, deletedAt: null }, 'key share'))) deleted.add(id);
  }
  return withoutGroups(document, deleted);
}
