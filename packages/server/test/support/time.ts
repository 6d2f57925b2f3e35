import type { Database } from '../../src/database/database.ts';

/** Milliseconds that the clock of the database may differ from ours by rounding. */
const tolerance = 5;

/** Runs an action and returns its result with a check: whether a time lies `ms` after some moment during the action. */
export async function during<Result>(action: () => Promise<Result>) {
  const began = Date.now();
  const result = await action();
  const ended = Date.now();
  const isDuring = (at: Date | string | null | undefined, ms = 0): boolean => {
    const time = new Date(at ?? Number.NaN).getTime() - ms;
    return time >= began - tolerance && time <= ended + tolerance;
  };
  return { result, isDuring };
}

/** Moves the deadlines of runs and their tasks a day into the past. */
export async function passDeadlines(database: Database, runIds: readonly string[]): Promise<void> {
  const em = database.em.fork();
  const ids = runIds.map(() => '?').join(', ');
  const day = "interval '1 day'";
  await em.execute(
    `update run_tasks set due_at = due_at - ${day}, deadline_at = deadline_at - ${day} where run_id in (${ids})`,
    [...runIds],
  );
  await em.execute(`update runs set next_deadline_at = next_deadline_at - ${day} where id in (${ids})`, [...runIds]);
  em.shared((caches) => caches).clear();
}
