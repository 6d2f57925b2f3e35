import type { Em } from '../../database/database.ts';
import { statement } from '../../database/statement.ts';

const order = statement(`
  update webhook_deliveries delivery
  set position = (select position from events where organization_id = $1 and id = delivery.id)
  where organization_id = $1 and webhook_id = $2 and status = 'PENDING' and position is null`);

/**
 * Gives the pending deliveries of a webhook the positions of their events. Those without one get it when it is placed.
 */
export async function orderDeliveries(em: Em, organizationId: string, webhookId: string): Promise<void> {
  await order(em, organizationId, webhookId);
}
