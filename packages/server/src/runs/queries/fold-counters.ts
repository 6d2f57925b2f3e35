import type { Em } from '../../database/database.ts';
import { inBatches } from '../../database/in-batches.ts';
import { statement } from '../../database/statement.ts';
import { restingOrganizations } from '../../organization/moves/resting.ts';

const batchSize = 10_000;

const withChanges = statement<{ id: string }>(`
  select distinct organization_id as id from run_counter_changes where organization_id not in ${restingOrganizations}`);

// Skips changes that another process is folding. The order keeps two processes from waiting for each other.
const fold = statement<{ count: number }>(`
  with folded as (
    delete from run_counter_changes
    where organization_id = $1 and id = any (array(
      select id from run_counter_changes where organization_id = $1 limit $2 for update skip locked))
    returning template_id, status, archived, change, task_change
  ), counted as (
    insert into run_counters as counter (organization_id, template_id, status, archived, count, task_count)
    select $1, template_id, status, archived, sum(change), sum(task_change) from folded
    group by template_id, status, archived having sum(change) <> 0 or sum(task_change) <> 0 order by template_id, status, archived
    on conflict (organization_id, template_id, status, archived) do update
      set count = counter.count + excluded.count, task_count = counter.task_count + excluded.task_count
  )
  select count(*)::int as count from folded`);

/**
 * Folds the changes of all organizations' counters into the counters, so that few remain to be added up. One statement
 * moves a batch, so a change is always either in the counter or separate, also if the process is killed. Nobody waits
 * for it: launches and changes of runs only insert, and readers see the same sum before and after. The signal ends it
 * between two batches.
 */
export async function foldCounters(em: Em, signal: AbortSignal): Promise<void> {
  for (const { id } of await withChanges(em)) {
    await inBatches(signal, batchSize, () => foldBatch(em, id));
  }
}

/** Folds up to 10,000 changes of an organization and returns their number. */
export async function foldBatch(em: Em, organizationId: string): Promise<number> {
  return (await fold(em, organizationId, batchSize))[0]?.count ?? 0;
}
