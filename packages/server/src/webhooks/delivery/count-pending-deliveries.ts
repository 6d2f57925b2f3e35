import { sql } from 'kysely';
import type { Em } from '../../database/database.ts';
import { countAs } from '../../database/expressions.ts';

/** The number of pending deliveries of all organizations. Throws after a second; must run in a transaction. */
export async function countPendingDeliveries(em: Em): Promise<number> {
  const db = em.getKysely();
  await sql`set local statement_timeout = 1000`.execute(db);
  const { count } = await db
    .selectFrom('webhook_deliveries')
    .where('status', '=', 'PENDING')
    .select(countAs('count'))
    .executeTakeFirstOrThrow();
  return count;
}
