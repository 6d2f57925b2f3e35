import { sql } from 'kysely';
import type { Em } from '../../database/database.ts';
import { countAs } from '../../database/expressions.ts';

/** A group with its active members. `createdAt` is in PostgreSQL's text format. */
export interface GroupRow {
  readonly id: string;
  readonly name: string;
  readonly memberIds: string[];
  readonly createdAt: string;
}

/** Up to `limit` + 1 groups by name and id, and the number of all of them. */
export async function listGroups(
  em: Em,
  organizationId: string,
  { limit, after }: { limit: number; after: readonly [name: string, id: string] | null },
): Promise<{ rows: GroupRow[]; total: number }> {
  const own = groups(em, organizationId);
  const { total } = await own.select(countAs('total')).executeTakeFirstOrThrow();
  const rest = after
    ? own.where(({ eb, refTuple, tuple }) => eb(refTuple('groups.name', 'groups.id'), '>', tuple(...after)))
    : own;
  const rows = await withColumns(rest)
    .orderBy('groups.name')
    .orderBy('groups.id')
    .limit(limit + 1)
    .execute();
  return { rows, total };
}

/** A group of the organization, or null. */
export async function findGroup(em: Em, organizationId: string, id: string): Promise<GroupRow | null> {
  return (await withColumns(groups(em, organizationId).where('groups.id', '=', id)).executeTakeFirst()) ?? null;
}

function groups(em: Em, organizationId: string) {
  return em
    .getKysely()
    .selectFrom('groups')
    .where('groups.organization_id', '=', organizationId)
    .where('groups.deleted_at', 'is', null);
}

function withColumns(query: ReturnType<typeof groups>) {
  return query.select((eb) => [
    'groups.id',
    'groups.name',
    'groups.created_at as createdAt',
    // Deactivated users stay in the group but are not listed, so that they are listed again after they are reactivated.
    sql<string[]>`array(${eb
      .selectFrom('group_members as membership')
      .innerJoin('users as member', (join) =>
        join
          .onRef('member.organization_id', '=', 'membership.organization_id')
          .onRef('member.id', '=', 'membership.user_id')
          .on('member.status', '=', 'ACTIVE'),
      )
      .whereRef('membership.organization_id', '=', 'groups.organization_id')
      .whereRef('membership.group_id', '=', 'groups.id')
      .select('membership.user_id')
      .orderBy('membership.user_id')})`.as('memberIds'),
  ]);
}
