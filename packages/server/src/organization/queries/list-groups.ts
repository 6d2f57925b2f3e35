import { sql } from 'kysely';
import type { Em } from '../../database/database.ts';

/** A group with its active members; `createdAt` as PostgreSQL writes it. */
export interface GroupRow {
  readonly id: string;
  readonly name: string;
  readonly memberIds: string[];
  readonly createdAt: string;
}

// Deactivated members stay in the group, unseen, so that they are in it again once they come back.
const columns = sql`
  groups.id, groups.name, groups.created_at as "createdAt", array(
    select user_id from group_members membership
    join users member on member.organization_id = membership.organization_id and member.id = user_id and member.status = 'ACTIVE'
    where membership.organization_id = groups.organization_id and group_id = groups.id order by user_id) as "memberIds"`;

/** Up to `limit` + 1 groups by name and id, and how many there are in all. */
export async function listGroups(
  em: Em,
  organizationId: string,
  { limit, after }: { limit: number; after: readonly [name: string, id: string] | null },
): Promise<{ rows: GroupRow[]; total: number }> {
  const own = sql`from groups where organization_id = ${organizationId} and deleted_at is null`;
  const { rows } = await sql<{ total: number; groups: GroupRow[] | null }>`
    select (select count(*)::int ${own}) as total, (select json_agg(page) from (
      select ${columns} ${own} ${after ? sql`and (name, id) > (${after[0]}, ${after[1]})` : sql``}
      order by name, id limit ${limit + 1}) page) as groups
  `.execute(em.getKysely());
  return { rows: rows[0]?.groups ?? [], total: rows[0]?.total ?? 0 };
}

/** A group of the organization, or null. */
export async function findGroup(em: Em, organizationId: string, id: string): Promise<GroupRow | null> {
  const { rows } = await sql<GroupRow>`
    select ${columns} from groups where id = ${id} and organization_id = ${organizationId} and deleted_at is null
  `.execute(em.getKysely());
  return rows[0] ?? null;
}
