import { setTimeout as pause } from 'node:timers/promises';
import type { Database, Em } from './database.ts';

const tries = 3;
/** serialization_failure and deadlock_detected: PostgreSQL undid the transaction, doing it again is safe. */
const transient = new Set(['40001', '40P01']);

/** Runs `work` in a transaction of its own and commits; does it again where PostgreSQL had to break a deadlock. */
export async function inTransaction<Result>(database: Database, work: (em: Em) => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await transact(database, work);
    } catch (error) {
      if (attempt === tries || !transient.has(codeOf(error))) throw error;
      await pause(20 + Math.random() * 80);
    }
  }
}

/**
 * One transaction. The ORM's own leaves a connection out of the pool for good when `begin` or `commit` fails on it, as after a restart
 * of PostgreSQL; this one gives it back in any case.
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

/** The PostgreSQL error code of an exception, or an empty string. */
export function codeOf(error: unknown): string {
  return typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : '';
}

/** Whether an exception says that a row with this unique key exists already. */
export function violates(error: unknown, constraint: string): boolean {
  return codeOf(error) === '23505' && (error as { constraint?: unknown }).constraint === constraint;
}
