import type { Em } from '../../database/database.ts';
import { inBatches } from '../../database/in-batches.ts';
import { statement } from '../../database/statement.ts';

const purge = statement<{ count: number }>(`
  with purged as (
    delete from spent_tokens where ctid = any (array(
      select ctid from spent_tokens where expires_at < now() limit $1 for update skip locked))
    returning token_hash
  )
  select count(*)::int as count from purged`);

/**
 * Deletes the expired states and logout tokens of all organizations, `limit` per statement. The signal ends it between two
 * statements.
 */
export async function purgeSpentTokens(em: Em, signal: AbortSignal, limit = 1_000): Promise<void> {
  await inBatches(signal, limit, async () => (await purge(em, limit))[0]?.count ?? 0);
}
