import { system } from '../../access/actor.ts';
import type { Database } from '../../database/database.ts';
import type { Dispatcher } from '../../webhooks/delivery/dispatcher.ts';
import { findDueRuns, type DueRun } from '../queries/find-due-runs.ts';
import { loadRun } from '../store/load.ts';
import { decideAndSave } from './decide-and-save.ts';

const batchSize = 100;
/** The number of runs that are handled at the same time. It is low, because requests also need connections. */
const concurrency = 4;

/** What the detection needs. The signal ends it between two runs. */
export interface OverdueParts {
  readonly database: Database;
  readonly dispatcher: Pick<Dispatcher, 'notify'>;
  readonly signal?: AbortSignal;
}

/**
 * Records the missed deadlines of all runs of all organizations. A run that another transaction is changing is left to
 * the next detection. Throws an `AggregateError` at the end if runs failed.
 */
export async function detectOverdue({ database, dispatcher, signal }: OverdueParts): Promise<void> {
  const failures: unknown[] = [];
  let batch: DueRun[] = [];
  do {
    // Each batch begins after the last run of the previous one, so that the loop ends even if a run stays due.
    batch = await findDueRuns(database.em.fork(), batch.at(-1), batchSize);
    const waiting = batch.values();
    const work = async () => {
      for (const run of waiting) {
        if (signal?.aborted) return;
        try {
          if (await recordOverdue(database, run)) dispatcher.notify();
        } catch (error) {
          failures.push(error);
        }
      }
    };
    await Promise.all(Array.from({ length: concurrency }, work));
    if (signal?.aborted) break;
  } while (batch.length === batchSize);
  if (failures.length > 0)
    throw new AggregateError(failures, `The detection of overdue tasks failed for ${failures.length} runs.`);
}

/** Returns whether webhooks must be notified. */
async function recordOverdue(database: Database, { id: runId, organizationId, now }: DueRun): Promise<boolean> {
  const em = database.em.fork();
  const run = await loadRun(em, organizationId, { runId }, { forms: true });
  const decision = run && (await decideAndSave(em, run, { type: 'detectOverdue' }, system, { now: new Date(now) }));
  return decision?.delivers ?? false;
}
