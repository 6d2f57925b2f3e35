import { sql } from 'kysely';
import type { Em } from '../../database/database.ts';
import { countAs } from '../../database/expressions.ts';
import { restingOrganizations } from '../../organization/moves/resting.ts';

/**
 * The number of pending deliveries of all organizations to webhooks that were not deleted. Throws after a second. Must
 * run in a transaction.
 */
export async function countPendingDeliveries(em: Em): Promise<number> {
  const db = em.getKysely();
  await sql`set local statement_timeout = 1000`.execute(db);
  const { count } = await db
    .selectFrom('webhook_deliveries as delivery')
    .innerJoin('webhooks as webhook', (join) =>
      join
        .onRef('webhook.organization_id', '=', 'delivery.organization_id')
        .onRef('webhook.id', '=', 'delivery.webhook_id'),
    )
    .where('delivery.status', '=', 'PENDING')
    .where(sql<boolean>`delivery.organization_id not in ${sql.raw(restingOrganizations)}`)
    .select(countAs('count'))
    .executeTakeFirstOrThrow();
  return count;
}
