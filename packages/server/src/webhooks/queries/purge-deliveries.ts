import type { Em } from '../../database/database.ts';
import { inBatches } from '../../database/in-batches.ts';
import { statement, writing } from '../../database/statement.ts';

interface DeletedWebhook {
  readonly organizationId: string;
  readonly webhookId: string;
}

/** Steps from webhook to webhook through the primary key, however many deliveries each has. */
const findDeleted = statement<DeletedWebhook>(`
  with recursive listed as (
    (select organization_id, webhook_id from webhook_deliveries order by organization_id, webhook_id limit 1)
    union all
    select next.organization_id, next.webhook_id
    from listed cross join lateral (
      select organization_id, webhook_id from webhook_deliveries
      where (organization_id, webhook_id) > (listed.organization_id, listed.webhook_id)
      order by organization_id, webhook_id limit 1
    ) next
  )
  select organization_id as "organizationId", webhook_id as "webhookId" from listed
  where not exists (
    select from webhooks where webhooks.organization_id = listed.organization_id and webhooks.id = listed.webhook_id)`);

const deleteBatch = writing(`
  delete from webhook_deliveries where organization_id = $1 and webhook_id = $2 and id = any (array(
    select id from webhook_deliveries where organization_id = $1 and webhook_id = $2 limit $3))`);

/** Deletes the deliveries of deleted webhooks, `limit` per statement. The signal ends it between two statements. */
export async function purgeDeliveries(em: Em, signal: AbortSignal, limit = 5_000): Promise<void> {
  for (const { organizationId, webhookId } of await findDeleted(em)) {
    await inBatches(signal, limit, () => deleteBatch(em, organizationId, webhookId, limit));
  }
}
