import type { Logger } from 'pino';
import type { Database } from '../db/database.ts';
import { recordAttempts, type AttemptResult } from '../db/queries/record-attempts.ts';
import { inTransaction } from '../db/transaction.ts';

/** Writes down what came of attempts. */
export interface Recorder {
  /** Settles when the result is written. Never throws: what cannot be written is attempted again after its lease. */
  record(result: AttemptResult): Promise<void>;
}

/** Makes a recorder: results that come in during a write are written together by the next. */
export function createRecorder(database: Database, log: Logger): Recorder {
  let batch: AttemptResult[] = [];
  let last = Promise.resolve();
  let next: Promise<void> | null = null;

  async function write(): Promise<void> {
    const results = batch;
    batch = [];
    next = null;
    try {
      const switchedOff = await inTransaction(database, (em) => recordAttempts(em, results));
      for (const webhook of switchedOff) log.warn(webhook, 'a webhook was switched off');
    } catch (error) {
      log.error({ err: error, deliveries: results.length }, 'could not record attempts; they will be made again');
    }
  }

  return {
    record: (result) => {
      batch.push(result);
      if (!next) {
        next = last.then(write);
        last = next;
      }
      return next;
    },
  };
}
