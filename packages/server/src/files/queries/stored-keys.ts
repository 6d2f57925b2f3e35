import { statement } from '../../database/statement.ts';

/** How many keys are compared with rows at once, or rows with keys. */
export const batchSize = 500;

/** The keys among `$1` that a row refers to. */
export const knownKeys = statement<{ key: string }>(`
  select storage_key as key from files where storage_key = any($1) and scan_status <> 'INFECTED'
  union all
  select storage_key from template_assets where storage_key = any($1)`);

/** The next rows with bytes, in this order, after the row of the organization `$1` with the id `$2`. */
export const nextRows = statement<{ organizationId: string; id: string; key: string }>(`
  select organization_id as "organizationId", id, storage_key as key
  from (
    select organization_id, id, storage_key from files where status = 'STORED' and scan_status <> 'INFECTED'
    union all
    select organization_id, id, storage_key from template_assets
  ) stored
  where (organization_id, id) > ($1, $2) order by organization_id, id limit ${batchSize}`);

/** The row of the organization `$1` with the id `$2`, if it still exists. */
export const rowOf = statement<{ key: string }>(`
  select storage_key as key from files where organization_id = $1 and id = $2
  union all
  select storage_key from template_assets where organization_id = $1 and id = $2`);
