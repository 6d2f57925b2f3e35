import { activeRunStatuses, type ProcessDocument } from '@runward/engine';
import { sql } from 'kysely';
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

/**
 * The number of active runs that follow a version whose approvals or rules name a group. Its tasks that are assigned
 * to the group directly are not looked for, because people can assign them to others.
 */
export async function countRunsNaming(em: Em, organizationId: string, groupId: string): Promise<number> {
  const approval = { approverGroupIds: [groupId] };
  const actions = [{ assigneeGroupId: groupId }];
  const parts = [{ tasks: [{ approval }] }, { tasks: [{ rules: [{ actions }] }] }];
  const { count } = await em
    .getKysely()
    .selectFrom('runs as run')
    .innerJoin('template_versions as version', (join) =>
      join
        .onRef('version.organization_id', '=', 'run.organization_id')
        .on(({ eb, ref, or }) =>
          or([
            eb('version.id', '=', ref('run.template_version_id')),
            eb('version.id', '=', ref('run.rules_version_id')),
          ]),
        ),
    )
    .where('run.organization_id', '=', organizationId)
    .where('run.status', 'in', activeRunStatuses)
    .where(({ eb, or }) =>
      or(parts.map((part) => eb('version.document', '@>', sql<ProcessDocument>`${JSON.stringify(part)}::jsonb`))),
    )
    .select(sql<number>`count(distinct run.id)::int`.as('count'))
    .executeTakeFirstOrThrow();
  return count;
}

/** The number of open tasks of active runs that are assigned to a group. */
export async function countOpenTasks(em: Em, organizationId: string, assigneeGroupId: string): Promise<number> {
  return em.count(RunTask, { organizationId, assigneeGroupId, listed: true, status: { $ne: 'COMPLETED' } });
}
