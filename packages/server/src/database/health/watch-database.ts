import { CompiledQuery } from 'kysely';
import { withDeadline } from '../../deadline.ts';
import type { Database } from '../database.ts';
import { migrationNames } from '../migrate.ts';
import { readSchema, schemaProblem } from '../schema-problem.ts';

/** Reports whether a running process may use its database. */
export interface DatabaseWatch {
  /**
   * Why this process must not write, as a clause: a newer process has migrated the database. Null if it may write. The
   * value is from the last check.
   */
  whyNotWritable(): string | null;
  /** Why the process cannot serve, as a clause; null if it can. Queries the database, for two seconds at most. */
  whyNotReady(): Promise<string | null>;
  stop(): void;
}

/** A migration is noticed after at most this time. */
const checkMs = 5_000;

/** Checks whether the program may still use the database: every five seconds, and whenever readiness is requested. */
export function watchDatabase(database: Database): DatabaseWatch {
  let problem: string | null = null;
  const check = async () => {
    const db = database.em.fork().getKysely();
    const read = async (text: string) => (await db.executeQuery<{ name: string | null }>(CompiledQuery.raw(text))).rows;
    problem = schemaProblem(await readSchema(read), migrationNames);
    return problem;
  };
  const whyNotReady = () => {
    const unresponsive = () => 'the database does not respond';
    return withDeadline(2_000, check().catch(unresponsive), unresponsive);
  };
  const timer = setInterval(() => void whyNotReady(), checkMs).unref();
  return { whyNotWritable: () => problem, whyNotReady, stop: () => clearInterval(timer) };
}
