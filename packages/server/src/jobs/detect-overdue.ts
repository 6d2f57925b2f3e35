import { system } from '../access/actor.ts';
import { carryOut } from '../commands/change-run.ts';
import type { Database } from '../db/database.ts';
import { loadRun } from '../db/load-run.ts';
import { findDueRuns, lockDueRun, type DueRun } from '../db/queries/find-due-runs.ts';
import { inTransaction } from '../db/transaction.ts';
import type { Dispatcher } from './dispatcher.ts';

const batchSize = 100;

/** What the detection needs; the signal ends it between two runs. */
export interface OverdueParts {
  readonly database: Database;
  readonly dispatcher: Pick<Dispatcher, 'nudge'>;
  readonly signal?: AbortSignal;
}

/**
 * Says of every run whose deadline has passed that it is overdue, in all organizations. Each run has a transaction of its own; one
 * that is being changed is left to the next time. Throws, in the end, where runs failed.
 */
export async function detectOverdue({ database, dispatcher, signal }: OverdueParts): Promise<void> {
  const failures: unknown[] = [];
  let batch: DueRun[] = [];
  do {
    // Going on after the last one ends the loop even where a run stays due.
    batch = await findDueRuns(database.em.fork(), batch.at(-1), batchSize);
    for (const run of batch) {
      if (signal?.aborted) return;
      try {
        if (await declareOverdue(database, run)) dispatcher.nudge();
      } catch (error) {
        failures.push(error);
      }
    }
  } while (batch.length === batchSize);
  if (failures.length > 0) throw new AggregateError(failures, `${failures.length} due runs could not be looked at.`);
}

async function declareOverdue(database: Database, { id: runId, ...due }: DueRun): Promise<boolean> {
  return inTransaction(database, async (em) => {
    const now = await lockDueRun(em, { id: runId, ...due });
    const run = now && (await loadRun(em, due.organizationId, { runId }, { forms: true }));
    if (!run) return false;
    const outcome = await carryOut(em, run, { type: 'detectOverdue' }, system, now);
    return outcome?.delivers ?? false;
  });
}
