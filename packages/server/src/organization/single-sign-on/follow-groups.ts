import type { Em } from '../../database/database.ts';
import { lockRow } from '../../database/lock-row.ts';
import { GroupMember } from '../entities/group-member.ts';
import { Group } from '../entities/group.ts';
import type { Identity } from '../entities/identity.ts';

/**
 * Makes a member a member of the groups of the organization with these names, and ends memberships that came from an
 * earlier sign-in with the account. Memberships that an administrator has added stay. The caller must commit.
 */
export async function followGroups(em: Em, identity: Identity, names: readonly string[]): Promise<void> {
  const { organizationId, userId } = identity;
  const named = { organizationId, name: { $in: [...new Set(names)] }, deletedAt: null };
  const found = await em.find(Group, named, { orderBy: { id: 'asc' }, fields: ['id'], disableIdentityMap: true });
  const groupIds: string[] = [];
  for (const { id } of found) {
    // Until the transaction ends, the group cannot be deleted.
    if (await lockRow(em, Group, { organizationId, id, deletedAt: null }, 'share')) groupIds.push(id);
  }
  const ended = identity.groupIds.filter((id) => !groupIds.includes(id));
  await em.nativeDelete(GroupMember, { organizationId, userId, groupId: { $in: ended } });
  if (groupIds.length > 0) {
    const rows = groupIds.map((groupId) => ({ organizationId, groupId, userId }));
    await em.upsertMany(GroupMember, rows, { onConflictAction: 'ignore' });
  }
  identity.groupIds = groupIds;
}
