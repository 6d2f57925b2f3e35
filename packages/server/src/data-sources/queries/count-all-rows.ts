import { sql } from 'kysely';
import type { Em } from '../../database/database.ts';

/** The number of rows in all data sources of an organization. */
export async function countAllRows(em: Em, organizationId: string): Promise<number> {
  const { rows } = await em
    .getKysely()
    .selectFrom('data_sources')
    .where('organization_id', '=', organizationId)
    .select(sql<number>`coalesce(sum(row_count), 0)`.as('rows'))
    .executeTakeFirstOrThrow();
  return rows;
}
