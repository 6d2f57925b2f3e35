import { sampleOf } from '../../database/inspect/sample.ts';
import { statement } from '../../database/statement.ts';
import { restingOrganizations } from '../../organization/moves/resting.ts';

/** How many keys are compared with rows at once, or rows with keys. */
export const batchSize = 500;

/** The keys among `$1` that a row refers to. */
export const knownKeys = statement<{ key: string }>(`
  select storage_key as key from files where storage_key = any($1) and scan_status <> 'INFECTED'
  union all
  select storage_key from template_assets where storage_key = any($1)`);

/** The organizations among `$1` that this cell serves. Others may store files in the same place. */
export const servedAmong = statement<{ id: string }>(
  `select id from organizations where id = any($1) and id not in ${restingOrganizations}`,
);

/** A row with bytes, and their key. */
export interface StoredRow {
  readonly organizationId: string;
  readonly id: string;
  readonly key: string;
}

const stored = `(
    select organization_id, id, storage_key from files where status = 'STORED' and scan_status <> 'INFECTED'
    union all
    select organization_id, id, storage_key from template_assets
  ) stored`;

/** The next rows with bytes, in this order, after the row of the organization `$1` with the id `$2`. */
export const nextRows = statement<StoredRow>(`
  select organization_id as "organizationId", id, storage_key as key from ${stored}
  where (organization_id, id) > ($1, $2) order by organization_id, id limit ${batchSize}`);

/** Some of the rows with bytes; the parameters are those of a sample. */
export const sampleRows = statement<StoredRow>(
  sampleOf(`organization_id as "organizationId", id, storage_key as key`, stored),
);

/** The row of the organization `$1` with the id `$2`, if it still exists. */
export const rowOf = statement<{ key: string }>(`
  select storage_key as key from files where organization_id = $1 and id = $2
  union all
  select storage_key from template_assets where organization_id = $1 and id = $2`);
