import { templatesContaining } from '../../access/queries/templates-containing.ts';
import type { Em } from '../../database/database.ts';
import { anyOf, countAs } from '../../database/expressions.ts';
import { RunTask } from '../../runs/entities/run-task.ts';
import { GroupMember } from '../entities/group-member.ts';
import type { Group } from '../entities/group.ts';

/**
 * Makes these the only active members of a group; deactivated ones stay in it. The caller must hold its lock and have
 * checked that they are active members of the organization.
 */
export async function replaceMembers(
  em: Em,
  { organizationId, id: groupId }: Pick<Group, 'organizationId' | 'id'>,
  memberIds: readonly string[],
): Promise<void> {
  const own = { organizationId, groupId };
  await em
    .getKysely()
    .deleteFrom('group_members as membership')
    .using('users as member')
    .whereRef('member.organization_id', '=', 'membership.organization_id')
    .whereRef('member.id', '=', 'membership.user_id')
    .where('member.status', '=', 'ACTIVE')
    .where('membership.organization_id', '=', organizationId)
    .where('membership.group_id', '=', groupId)
    .where(({ not, eb }) => not(eb('member.id', '=', anyOf(memberIds))))
    .execute();
  const present = new Set((await em.find(GroupMember, own)).map(({ userId }) => userId));
  const added = [...new Set(memberIds)].filter((userId) => !present.has(userId));
  if (added.length > 0) {
    await em.insertMany(
      GroupMember,
      added.map((userId) => ({ organizationId, groupId, userId })),
    );
  }
}

/** The number of templates whose tasks or rules name a group in the draft, or in the version that launches use. */
export async function countTemplatesNaming(em: Em, organizationId: string, groupId: string): Promise<number> {
  const assigned = [{ assigneeGroupId: groupId }];
  const approval = { approverGroupIds: [groupId] };
  const named = [{ tasks: assigned }, { tasks: [{ rules: [{ actions: assigned }] }] }, { tasks: [{ approval }] }];
  const { count } = await templatesContaining(em, organizationId, named)
    .select(countAs('count'))
    .executeTakeFirstOrThrow();
  return count;
}

/** The number of open tasks of active runs that are assigned to a group. */
export async function countOpenTasks(em: Em, organizationId: string, assigneeGroupId: string): Promise<number> {
  return em.count(RunTask, { organizationId, assigneeGroupId, listed: true, status: { $ne: 'COMPLETED' } });
}
