import { statement } from '../../database/statement.ts';
import { restingOrganizations } from '../../organization/moves/resting.ts';

/**
 * Deletes up to `$1` uploads of all organizations that were not confirmed in time, and returns the keys of their bytes.
 */
export const expireUploads = statement<{ key: string }>(`
  with expired_file as (
    select organization_id, id from files where expires_at <= now() and organization_id not in ${restingOrganizations} limit $1 for update skip locked
  )
  delete from files file using expired_file
  where file.organization_id = expired_file.organization_id and file.id = expired_file.id
  returning file.storage_key as key`);
