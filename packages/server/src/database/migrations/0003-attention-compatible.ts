/**
 * Indexes of what needs attention: the few deliveries that failed, and the few files that are infected (decision 0073).
 */
export const attentionCompatible = `
  create index webhook_deliveries_failed_index on webhook_deliveries (organization_id, created_at) where status = 'FAILED';
  create index files_infected_index on files (organization_id, scanned_at) where scan_status = 'INFECTED';
`;
