import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from 'pino';
import { batch } from '../../database/batch.ts';
import type { Database } from '../../database/database.ts';
import { recordAttempts, type AttemptResult } from '../queries/record-attempts.ts';

/** Writes the results of attempts to the database. */
export interface Recorder {
  /**
   * Settles when the result is written. Never throws: if a result cannot be written, the delivery is repeated after its
   * lease expires.
   */
  record(result: AttemptResult): Promise<void>;
}

/** Results that arrive within this time are written together. */
const batchMs = 2;
/**
 * How long a write is retried while the database is down. Well within the lease, so that few deliveries are sent twice.
 */
const timeBudgetMs = 30_000;

/**
 * Creates a recorder. Results that arrive during a write are written together by the next write. A write may be
 * repeated, because the first one ends the lease. After `stopping` is aborted, failed writes are no longer retried.
 */
export function createRecorder(database: Database, log: Logger, stopping: AbortSignal): Recorder {
  async function write(results: readonly AttemptResult[]): Promise<void[]> {
    try {
      const disabled = await withRetries(() => recordAttempts(database, results));
      for (const webhook of disabled) log.warn(webhook, 'webhook disabled');
    } catch (error) {
      log.error(
        { err: error, deliveries: results.length },
        'could not record attempts; the deliveries are attempted again',
      );
    }
    return results.map(() => {});
  }

  async function withRetries<Result>(work: () => Promise<Result>): Promise<Result> {
    for (const deadline = Date.now() + timeBudgetMs; ;) {
      try {
        return await work();
      } catch (error) {
        if (stopping.aborted || Date.now() > deadline) throw error;
        await pause(500, undefined, { signal: stopping }).catch(() => {});
      }
    }
  }

  return { record: batch(write, { atATime: 1, delayMs: batchMs }) };
}
