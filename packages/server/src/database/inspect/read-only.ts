import type { Database, Em } from '../database.ts';
import { inTransaction } from '../transaction.ts';

/** Reads one state of the database. PostgreSQL rejects whatever would change a row, or lock one. */
export function readOnly<Result>(database: Database, work: (em: Em) => Promise<Result>): Promise<Result> {
  return inTransaction(database, async (em) => {
    await em.execute('set transaction isolation level repeatable read, read only');
    return work(em);
  });
}
