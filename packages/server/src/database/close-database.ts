import { withDeadline } from '../deadline.ts';
import type { Database } from './database.ts';

const graceMs = 2_000;

/** Closes the connections. Gives up after two seconds: closing can hang forever if a connection died during a query. */
export async function closeDatabase(database: Pick<Database, 'close'>): Promise<void> {
  await withDeadline(graceMs, database.close());
}
