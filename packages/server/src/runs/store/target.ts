import type { Em } from '../../database/database.ts';
import { statement } from '../../database/statement.ts';

/**
 * Identifies a run by its id, or by the id of one of its tasks or entries. Discarded entries and removed tasks do not
 * identify a run.
 */
export type RunTarget = { readonly runId: string } | { readonly runTaskId: string } | { readonly entryId: string };

/** Runs a statement about one run of an organization and returns its rows. */
export type TargetStatement<Row> = (
  em: Em,
  organizationId: string,
  target: RunTarget,
  ...more: unknown[]
) => Promise<Row[]>;

/**
 * A statement about one run, however it is identified. `text` gets the condition on the id of the run. `$1` is the id
 * of the organization, and `$3` the first of `more`.
 */
export function targetStatement<Row>(text: (condition: string) => string): TargetStatement<Row> {
  const byRun = statement<Row>(text('= $2'));
  const byTask = statement<Row>(
    text('= (select run_id from run_tasks where organization_id = $1 and id = $2 and removed_at is null)'),
  );
  const byEntry = statement<Row>(
    text(`= (
      select entry.run_id from entries entry
      join run_tasks task on task.organization_id = entry.organization_id and task.id = entry.run_task_id and task.removed_at is null
      where entry.organization_id = $1 and entry.id = $2 and entry.discarded_at is null)`),
  );
  return (em, organizationId, target, ...more) => {
    if ('runId' in target) return byRun(em, organizationId, target.runId, ...more);
    if ('runTaskId' in target) return byTask(em, organizationId, target.runTaskId, ...more);
    return byEntry(em, organizationId, target.entryId, ...more);
  };
}
