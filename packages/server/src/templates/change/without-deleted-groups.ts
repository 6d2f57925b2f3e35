import { groupsIn, withoutGroups, type ProcessDocument } from '@runward/engine';
import type { RequestContext } from '../../access/request-context.ts';
import { lockRow } from '../../database/lock-row.ts';
import { Group } from '../../organization/entities/group.ts';

/**
 * A document without assignments to groups that have been deleted since it was published: a group that a draft assigns something to cannot be
 * deleted, so a draft must not name a deleted one. The others cannot be deleted before the transaction ends. Groups of approvers stay:
 * without them anyone could approve, and publishing reports the deleted ones.
 */
export async function withoutDeletedGroups(
  { em, actor: { organizationId } }: Pick<RequestContext, 'em' | 'actor'>,
  document: ProcessDocument,
): Promise<ProcessDocument> {
  const deleted = new Set<string>();
  // In one order, so that two requests do not wait for each other.
  for (const id of [...groupsIn(document)].toSorted()) {
    if (!(await lockRow(em, Group, { organizationId, id, deletedAt: null }, 'key share'))) deleted.add(id);
  }
  return withoutGroups(document, deleted);
}
