/** Workers lease webhooks, no longer single deliveries (decision 0088). */
export const webhookLeases = `
  alter table webhooks
    add column lease_token uuid,
    add column leased_until timestamptz,
    add column wanted smallint,
    drop column backlog_from;
  alter table webhooks set (fillfactor = 50);

  drop index webhook_deliveries_lease_index;
  alter table webhook_deliveries drop column lease_token;
`;
