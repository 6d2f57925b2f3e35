import { sql, type Kysely } from 'kysely';
import type { Em } from './database.ts';
import type { Tables } from './tables.ts';

/**
 * Reads one state of the database with several queries, for reports over many rows. They get more memory to sort in, and each is planned for
 * its parameters: a plan for a month is not one for ten years. They read what is mostly in memory, so that random reads cost little more than
 * sequential ones.
 */
export async function inSnapshot<Result>(em: Em, read: (db: Kysely<Tables>) => Promise<Result>): Promise<Result> {
  const transaction = em.getKysely().transaction().setIsolationLevel('repeatable read').setAccessMode('read only');
  return transaction.execute(async (db) => {
    await sql`
      select set_config('work_mem', '64MB', true), set_config('random_page_cost', '1.1', true),
        set_config('plan_cache_mode', 'force_custom_plan', true)`.execute(db);
    return read(db);
  });
}
