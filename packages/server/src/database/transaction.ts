import { setTimeout as pause } from 'node:timers/promises';
import { inStep } from '../telemetry/tracing.ts';
import type { Database, Em } from './database.ts';
import { isRetryable } from './errors.ts';

const maximumAttempts = 3;

/** Runs `work` in a new transaction and commits it. Repeats it if PostgreSQL rolled it back because of others. */
export async function inTransaction<Result>(database: Database, work: (em: Em) => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await inStep('transaction', () => transact(database, work));
    } catch (error) {
      if (attempt === maximumAttempts || !isRetryable(error)) throw error;
      await pause(20 + Math.random() * 80);
    }
  }
}

/**
 * One transaction, which always returns its connection to the pool. The ORM's transaction never does so if `begin` or
 * `commit` fails, such as after a restart of PostgreSQL.
 */
async function transact<Result>(database: Database, work: (em: Em) => Promise<Result>): Promise<Result> {
  const em = database.em.fork();
  return em
    .getConnection()
    .getClient()
    .transaction()
    .execute(async (transaction) => {
      em.setTransactionContext(transaction);
      const result = await work(em);
      await em.flush();
      return result;
    });
}
