import { sql } from 'kysely';
import type { Em } from '../../database/database.ts';

/** The number of pending deliveries of all organizations. Throws after a second; must run in a transaction. */
export async function countPendingDeliveries(em: Em): Promise<number> {
  const db = em.getKysely();
  await sql`set local statement_timeout = 1000`.execute(db);
  const { rows } = await sql<{ count: number }>`
    select count(*)::float8 as count from webhook_deliveries where status = 'PENDING'
  `.execute(db);
  return rows[0]?.count ?? 0;
}
