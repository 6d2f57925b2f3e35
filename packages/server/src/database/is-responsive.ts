import { sql } from 'kysely';
import { withDeadline } from '../deadline.ts';
import type { Database } from './database.ts';

/** Whether the database responds within two seconds. */
export async function isResponsive(database: Database): Promise<boolean> {
  const query = sql`select 1`.execute(database.em.fork().getKysely()).then(
    () => true,
    () => false,
  );
  return withDeadline(2_000, query, () => false);
}
