/**
 * Webhooks whose deliveries are sent one at a time, in the order of the feed (decision 0090). Programs that do not know
 * them send several at once, so the migration is not compatible (decision 0069).
 */
export const orderedWebhooks = `
  alter table webhooks add column ordered boolean not null default false;
  alter table webhook_deliveries add column position bigint;
  create index webhook_deliveries_order_index on webhook_deliveries (organization_id, webhook_id, position)
    where status = 'PENDING' and position is not null;
`;
