import type { Em } from '../../database/database.ts';
import { inBatches } from '../../database/in-batches.ts';
import { statement } from '../../database/statement.ts';

const deleteExpired = (table: 'sessions' | 'spent_tokens') =>
  statement<{ count: number }>(`
    with purged as (
      delete from ${table} where ctid = any (array(
        select ctid from ${table} where expires_at < now() limit $1 for update skip locked))
      returning 1
    )
    select count(*)::int as count from purged`);

const expiredSessions = deleteExpired('sessions');
const expiredTokens = deleteExpired('spent_tokens');

/**
 * Deletes the expired sessions of all organizations, `limit` per statement. The signal ends it between two statements.
 */
export async function purgeSessions(em: Em, signal: AbortSignal, limit = 1_000): Promise<void> {
  await inBatches(signal, limit, async () => (await expiredSessions(em, limit))[0]?.count ?? 0);
}

/** Deletes the expired states and logout tokens in the same way. */
export async function purgeSpentTokens(em: Em, signal: AbortSignal, limit = 1_000): Promise<void> {
  await inBatches(signal, limit, async () => (await expiredTokens(em, limit))[0]?.count ?? 0);
}
