import { mailRetentionDays } from '@runward/contract';
import type { Em } from '../../database/database.ts';
import { inBatches } from '../../database/in-batches.ts';
import { statement } from '../../database/statement.ts';

const purge = (table: 'notifications' | 'mails', isEnded: string) =>
  statement<{ count: number }>(`
    with purged as (
      delete from ${table} where ctid = any (array(
        select ctid from ${table} where ${isEnded} and created_at < now() - interval '${mailRetentionDays} days'
        limit $1 for update skip locked))
      returning id
    )
    select count(*)::int as count from purged`);

const purgeEnded = [
  purge('notifications', '(mail_id is not null or dropped_reason is not null)'),
  purge('mails', "status <> 'PENDING'"),
];

/**
 * Deletes mails and notifications that are older than 30 days and no longer pending, `limit` per statement. The signal
 * ends it between two statements.
 */
export async function purgeMails(em: Em, signal: AbortSignal, limit = 5_000): Promise<void> {
  for (const purgeBatch of purgeEnded) {
    await inBatches(signal, limit, async () => (await purgeBatch(em, limit))[0]?.count ?? 0);
  }
}
