import { system } from '../access/actor.ts';
import { carryOut } from './change-run.ts';
import type { Database } from '../database/database.ts';
import { loadRun } from './store/load.ts';
import { findDueRuns, type DueRun } from './queries/find-due-runs.ts';
import type { Dispatcher } from '../webhooks/delivery/dispatcher.ts';

const batchSize = 100;
/** Few, because requests need connections too. */
const atATime = 4;

/** What the detection needs; the signal ends it between two runs. */
export interface OverdueParts {
  readonly database: Database;
  readonly dispatcher: Pick<Dispatcher, 'notify'>;
  readonly signal?: AbortSignal;
}

/**
 * Says of every run whose deadline has passed that it is overdue, in all organizations. Each run is one guarded statement; one that
 * is being changed is left to the next time. Throws, in the end, where runs failed.
 */
export async function detectOverdue({ database, dispatcher, signal }: OverdueParts): Promise<void> {
  const failures: unknown[] = [];
  let batch: DueRun[] = [];
  do {
    // Going on after the last one ends the loop even where a run stays due.
    batch = await findDueRuns(database.em.fork(), batch.at(-1), batchSize);
    const waiting = batch.values();
    const work = async () => {
      for (const run of waiting) {
        if (signal?.aborted) return;
        try {
          if (await declareOverdue(database, run)) dispatcher.notify();
        } catch (error) {
          failures.push(error);
        }
      }
    };
    await Promise.all(Array.from({ length: atATime }, work));
    if (signal?.aborted) break;
  } while (batch.length === batchSize);
  if (failures.length > 0) throw new AggregateError(failures, `${failures.length} due runs could not be looked at.`);
}

/** Whether webhooks are to hear of it. */
async function declareOverdue(database: Database, { id: runId, organizationId, now }: DueRun): Promise<boolean> {
  const em = database.em.fork();
  const run = await loadRun(em, organizationId, { runId }, { forms: true });
  const outcome = run && (await carryOut(em, run, { type: 'detectOverdue' }, system, new Date(now)));
  return outcome?.delivers ?? false;
}
