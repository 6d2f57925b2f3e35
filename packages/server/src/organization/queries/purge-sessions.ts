import type { Em } from '../../database/database.ts';
import { inBatches } from '../../database/in-batches.ts';
import { statement } from '../../database/statement.ts';

const purge = statement<{ count: number }>(`
  with purged as (
    delete from sessions where ctid = any (array(
      select ctid from sessions where expires_at < now() limit $1 for update skip locked))
    returning id
  )
  select count(*)::int as count from purged`);

/**
 * Deletes the expired sessions of all organizations, `limit` per statement. The signal ends it between two statements.
 */
export async function purgeSessions(em: Em, signal: AbortSignal, limit = 1_000): Promise<void> {
  await inBatches(signal, limit, async () => (await purge(em, limit))[0]?.count ?? 0);
}
