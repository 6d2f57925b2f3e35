import { activeRunStatuses } from '@runward/engine';
import type { Em } from '../../database/database.ts';
import { statement } from '../../database/statement.ts';
import { targetStatement, type RunTarget } from './target.ts';

const lockOne = targetStatement<{ id: string }>(
  (condition) => `select id from runs where organization_id = $1 and id ${condition} for update`,
);
const lockSeveral = statement<{ id: string }>(
  'select id from runs where organization_id = $1 and id = any($2) order by id for update',
);
const lockOfTasks = statement<{ id: string }>(
  `select id from runs where organization_id = $1 and id in (
    select run_id from run_tasks where organization_id = $1 and id = any($2)) order by id for update`,
);
const lockActive = statement<{ id: string }>(
  'select id from runs where organization_id = $1 and status = any($2) order by id for update',
);

/**
 * Locks the row of a run until the transaction ends, so that commands on the run are decided one after the other.
 * Returns its id, or null if the organization has no such run. The run must be read after that: a statement that waits
 * for a lock sees all other rows as they were before the wait.
 */
export async function lockRun(em: Em, organizationId: string, target: RunTarget): Promise<string | null> {
  return (await lockOne(em, organizationId, target))[0]?.id ?? null;
}

/**
 * Locks several runs in the order of their ids, so that two calls cannot deadlock. Returns the ids of existing runs.
 */
export async function lockRuns(em: Em, organizationId: string, runIds: readonly string[]): Promise<string[]> {
  return (await lockSeveral(em, organizationId, runIds)).map(({ id }) => id);
}

/** Locks the runs that have these tasks in the same way. A run may have removed its task. */
export async function lockRunsOfTasks(em: Em, organizationId: string, runTaskIds: readonly string[]) {
  return (await lockOfTasks(em, organizationId, runTaskIds)).map(({ id }) => id);
}

/** Locks all active runs of an organization in the order of their ids. Returns the ids. */
export async function lockActiveRuns(em: Em, organizationId: string): Promise<string[]> {
  return (await lockActive(em, organizationId, activeRunStatuses)).map(({ id }) => id);
}
