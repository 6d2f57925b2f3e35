import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Database } from '../../database/database.ts';
import { recordAttempts, type AttemptResult } from './record-attempts.ts';

/** Writes down what came of attempts. */
export interface Recorder {
  /** Settles when the result is written. Never throws: what cannot be written is attempted again after its lease. */
  record(result: AttemptResult): Promise<void>;
}

/** Results that come within a moment are written together. */
const gatherMs = 2;
/** How long a write is tried again while the database is away: well within the lease, so that little is sent twice. */
const timeBudgetMs = 30_000;

/**
 * Makes a recorder: results that come in during a write are written together by the next. Writing twice does no harm, since the first
 * ends the lease. The signal says that the process stops, and that there is no more time for trying again.
 */
export function createRecorder(database: Database, log: Logger, stopping: AbortSignal): Recorder {
  let batch: AttemptResult[] = [];
  let last = Promise.resolve();
  let next: Promise<void> | null = null;

  async function write(): Promise<void> {
    const results = batch;
    batch = [];
    next = null;
    try {
      const switchedOff = await insist(() => recordAttempts(database.em.fork(), results));
      for (const webhook of switchedOff) log.warn(webhook, 'webhook disabled');
    } catch (error) {
      log.error(
        { err: error, deliveries: results.length },
        'could not record attempts; the deliveries are attempted again',
      );
    }
  }

  async function insist<Result>(work: () => Promise<Result>): Promise<Result> {
    for (const deadline = Date.now() + timeBudgetMs; ;) {
      try {
        return await work();
      } catch (error) {
        if (stopping.aborted || Date.now() > deadline) throw error;
        await pause(500, undefined, { signal: stopping }).catch(() => {});
      }
    }
  }

  return {
    record: (result) => {
      batch.push(result);
      if (!next) {
        next = last.then(() => pause(gatherMs)).then(write);
        last = next;
      }
      return next;
    },
  };
}
