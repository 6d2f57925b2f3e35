import { auditRetentionDays } from '@runward/contract';
import type { Em } from '../../database/database.ts';
import { inBatches } from '../../database/in-batches.ts';
import { statement } from '../../database/statement.ts';

const retention = `make_interval(days => case organization.plan ${Object.entries(auditRetentionDays)
  .map(([plan, days]) => `when '${plan}' then ${days}`)
  .join(' ')} end)`;

/** Organizations whose oldest line is to be deleted. */
const findDue = statement<{ id: string }>(`
  select organization.id from audit_heads as head
    join organizations as organization on organization.id = head.organization_id
    join audit_lines as oldest
      on oldest.organization_id = head.organization_id and oldest.sequence = head.purged_count + 1
  where oldest.at < now() - ${retention}`);

// Lines of transactions that overlapped can be slightly out of the order of time. Only the beginning of the chain may
// be missing, so the first line that is kept ends the deletion.
const purge = statement<{ count: number }>(`
  with oldest as (
    select line.sequence, line.at < now() - ${retention} as is_due
    from audit_lines as line join organizations as organization on organization.id = line.organization_id
    where line.organization_id = $1 order by line.sequence limit $2
  ), due as (
    select sequence from oldest
    where sequence < coalesce((select min(sequence) from oldest where not is_due), 2147483647)
  ), purged as (
    delete from audit_lines where organization_id = $1 and sequence in (select sequence from due) returning sequence
  ), head as (
    update audit_heads set purged_count = greatest(purged_count, (select max(sequence) from purged))
    where organization_id = $1 and exists (select from purged)
  )
  select count(*)::int as count from purged`);

/**
 * Deletes the lines of all organizations that are older than their plans keep them, `limit` per statement. The rest of
 * a chain can still be verified: its first line has the hash of the one before. The signal ends it between two
 * statements.
 */
export async function purgeLines(em: Em, signal: AbortSignal, limit = 5_000): Promise<void> {
  for (const { id } of await findDue(em)) {
    await inBatches(signal, limit, async () => (await purge(em, id, limit))[0]?.count ?? 0);
  }
}
