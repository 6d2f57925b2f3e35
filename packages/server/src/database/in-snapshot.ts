import { sql, type Kysely, type KyselyPlugin } from 'kysely';
import { badRequest } from '../api-error.ts';
import { inStep } from '../telemetry/tracing.ts';
import type { Em } from './database.ts';
import { isCancelled } from './errors.ts';
import { againAtPrimary } from './replica/failing-over.ts';
import type { Tables } from './tables.ts';

/** After this many milliseconds, no query begins, so that the last one ends within the time budget of the request. */
const usualLimit = 18_000;

/**
 * Reads one state of the database with several queries, for reports over many rows. The queries get more memory for
 * sorting. Each is planned for its parameters, because the best plan for a month differs from the best one for ten
 * years. Most of the rows are in memory, so the planner is told that random reads cost little more than sequential
 * ones, and that passing a row from one process to another is cheap. If a replica fails meanwhile, everything is read
 * again from the primary. Throws a 400 if a query, or all of them together, take too long.
 */
export async function inSnapshot<Result>(
  em: Em,
  read: (db: Kysely<Tables>) => Promise<Result>,
  limit = usualLimit,
): Promise<Result> {
  const end = performance.now() + limit;
  try {
    return await againAtPrimary(() => readOnce(em, read, end));
  } catch (error) {
    throw isCancelled(error) ? tooLong() : error;
  }
}

async function readOnce<Result>(em: Em, read: (db: Kysely<Tables>) => Promise<Result>, end: number): Promise<Result> {
  const transaction = em.getKysely().transaction().setIsolationLevel('repeatable read').setAccessMode('read only');
  const snapshot = async (db: Kysely<Tables>) => {
    await sql`
      select set_config('work_mem', '64MB', true), set_config('random_page_cost', '1.1', true),
        set_config('parallel_tuple_cost', '0.001', true), set_config('plan_cache_mode', 'force_custom_plan', true)
    `.execute(db);
    return read(db.withPlugin(untilTime(end)));
  };
  return inStep('transaction', () => transaction.execute(snapshot));
}

/** Rejects queries that begin after a time. */
function untilTime(end: number): KyselyPlugin {
  return {
    transformQuery: ({ node }) => {
      if (performance.now() > end) throw tooLong();
      return node;
    },
    transformResult: async ({ result }) => result,
  };
}

/** Not a 5xx, which clients repeat: the same request would take as long again. */
function tooLong(): Error {
  return badRequest(
    'query_too_large',
    'The figures of so many runs take too long to compute; choose a shorter period, or fewer templates.',
  );
}
