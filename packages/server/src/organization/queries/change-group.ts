import { sql } from 'kysely';
import type { Group } from '../entities/group.ts';
import type { Em } from '../../database/database.ts';

/** Makes these the only members of a group. The caller holds its lock and knows that they are of the organization. */
export async function replaceMembers(
  em: Em,
  { organizationId, id }: Pick<Group, 'organizationId' | 'id'>,
  memberIds: readonly string[],
): Promise<void> {
  await sql`
    with dropped as (
      delete from group_members
      where organization_id = ${organizationId} and group_id = ${id} and user_id <> all(${memberIds}::uuid[])
    )
    insert into group_members (organization_id, group_id, user_id)
    select ${organizationId}, ${id}, unnest(${memberIds}::uuid[]) on conflict do nothing
  `.execute(em.getKysely());
}

/** How many templates name a group: in their draft, or in the published version that launches use. */
export async function countTemplatesNaming(em: Em, organizationId: string, groupId: string): Promise<number> {
  const named = JSON.stringify({ tasks: [{ assigneeGroupId: groupId }] });
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count
    from templates template left join template_versions version
      on version.organization_id = template.organization_id and version.id = template.published_version_id
    where template.organization_id = ${organizationId} and template.deleted_at is null
      and (template.draft @> ${named}::jsonb or version.document @> ${named}::jsonb)
  `.execute(em.getKysely());
  return rows[0]?.count ?? 0;
}

/** How many open tasks of active runs are assigned to a group. */
export async function countOpenTasks(em: Em, organizationId: string, groupId: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from run_tasks task
    join runs run on run.organization_id = task.organization_id and run.id = task.run_id
    where task.organization_id = ${organizationId} and task.assignee_group_id = ${groupId} and task.status <> 'COMPLETED' and not task.hidden
      and run.status in ('RUNNING', 'OVERDUE') and run.archived_at is null
  `.execute(em.getKysely());
  return rows[0]?.count ?? 0;
}
