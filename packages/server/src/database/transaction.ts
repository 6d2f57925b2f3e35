import { setTimeout as pause } from 'node:timers/promises';
import type { Database, Em } from './database.ts';
import { isRetryable } from './errors.ts';

const maximumAttempts = 3;

/** Runs `work` in a transaction of its own and commits; repeats it if PostgreSQL rolled it back because of others. */
export async function inTransaction<Result>(database: Database, work: (em: Em) => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await transact(database, work);
    } catch (error) {
      if (attempt === maximumAttempts || !isRetryable(error)) throw error;
      await pause(20 + Math.random() * 80);
    }
  }
}

/**
 * One transaction. The ORM's own never returns a connection to the pool if `begin` or `commit` fails on it, as after a restart of
 * PostgreSQL; this one always returns it.
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
