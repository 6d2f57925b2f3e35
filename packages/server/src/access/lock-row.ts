import { sql, type RawBuilder } from 'kysely';
import type { Em } from '../database/database.ts';

/** What a lock on a row is for: `uses` keeps others from deleting it, `changes` keeps others from changing and from using it. */
export type RowLock = 'uses' | 'changes';

const strengths: Record<RowLock, RawBuilder<unknown>> = {
  uses: sql`for key share`,
  changes: sql`for update`,
};

/** Locks the row of a group until the transaction ends; answers whether the organization has such a group. */
export async function lockGroup(em: Em, organizationId: string, id: string, lock: RowLock): Promise<boolean> {
  const { rows } = await sql`
    select id from groups where id = ${id} and organization_id = ${organizationId} and deleted_at is null
    ${strengths[lock]}
  `.execute(em.getKysely());
  return rows.length > 0;
}

/** Locks the row of a folder until the transaction ends; answers whether the organization has such a folder. */
export async function lockFolder(em: Em, organizationId: string, id: string, lock: RowLock): Promise<boolean> {
  const { rows } = await sql`
    select id from folders where id = ${id} and organization_id = ${organizationId} ${strengths[lock]}
  `.execute(em.getKysely());
  return rows.length > 0;
}
