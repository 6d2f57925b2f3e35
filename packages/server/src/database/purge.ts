import type { Em } from './database.ts';
import { inBatches } from './in-batches.ts';
import { writing } from './statement.ts';
import type { Tables } from './tables.ts';

/** Deletes rows, at most `limit` per statement. The signal ends it between two statements. */
export type Purge = (em: Em, signal: AbortSignal, limit?: number) => Promise<void>;

/**
 * Purges the rows of a table that meet an SQL condition, in all organizations. Rows that another transaction has locked
 * are left for the next time.
 */
export function purge(table: keyof Tables, condition: string, usualLimit: number): Purge {
  const deleteBatch = writing(`
    delete from ${table} where ctid = any (array(
      select ctid from ${table} where ${condition} limit $1 for update skip locked))`);
  return async (em, signal, limit = usualLimit) => inBatches(signal, limit, () => deleteBatch(em, limit));
}
