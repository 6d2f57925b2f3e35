import type { Em } from '../../../database/database.ts';
import { statement } from '../../../database/statement.ts';

/**
 * The source of the row in `searchable_values` of a run that could not be read when its values became searchable. No
 * field and no variable has it, so no filter finds it. The next change of the run writes its values and deletes the
 * row.
 */
export const unreadSource = '!unread';

const insert = statement<{ runId: string }>(`
  insert into searchable_values (organization_id, run_id, source, position)
  select $1, id, '${unreadSource}', 0 from unnest($2::uuid[]) as id
  on conflict do nothing returning run_id as "runId"`);

const remove = statement(`
  delete from searchable_values where organization_id = $1 and run_id = any ($2) and source = '${unreadSource}'`);

/** Records that these runs could not be read, and returns the ones that were not recorded before. */
export async function recordUnread(em: Em, organizationId: string, runIds: readonly string[]): Promise<string[]> {
  if (runIds.length === 0) return [];
  return (await insert(em, organizationId, runIds)).map(({ runId }) => runId);
}

/** Records that these runs were read. */
export async function recordRead(em: Em, organizationId: string, runIds: readonly string[]): Promise<void> {
  if (runIds.length > 0) await remove(em, organizationId, runIds);
}
