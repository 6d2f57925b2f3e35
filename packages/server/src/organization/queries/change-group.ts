import { sql } from 'kysely';
import type { Em } from '../../database/database.ts';

/** Makes these the only members of a group. The caller holds its lock and knows that they are of the organization. */
export async function replaceMembers(em: Em, groupId: string, memberIds: readonly string[]): Promise<void> {
  await sql`
    with dropped as (delete from group_members where group_id = ${groupId} and user_id <> all(${memberIds}::uuid[]))
    insert into group_members (group_id, user_id) select ${groupId}, unnest(${memberIds}::uuid[]) on conflict do nothing
  `.execute(em.getKysely());
}

/** How many templates name a group: in their draft, or in the published version that launches use. */
export async function countTemplatesNaming(em: Em, organizationId: string, groupId: string): Promise<number> {
  const named = JSON.stringify({ tasks: [{ assigneeGroupId: groupId }] });
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count
    from templates template left join template_versions version on version.id = template.published_version_id
    where template.organization_id = ${organizationId} and template.deleted_at is null
      and (template.draft @> ${named}::jsonb or version.document @> ${named}::jsonb)
  `.execute(em.getKysely());
  return rows[0]?.count ?? 0;
}

/** How many open tasks of active runs are assigned to a group. */
export async function countOpenTasks(em: Em, organizationId: string, groupId: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from run_tasks task join runs run on run.id = task.run_id
    where task.assignee_group_id = ${groupId} and task.status <> 'COMPLETED' and not task.hidden
      and run.organization_id = ${organizationId} and run.status in ('RUNNING', 'OVERDUE') and run.archived_at is null
  `.execute(em.getKysely());
  return rows[0]?.count ?? 0;
}
