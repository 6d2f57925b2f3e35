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

/** A time zone in which it is about noon, so that no day begins or ends during a test. */
export function zoneAtNoon(): string {
  const offset = 12 - new Date().getUTCHours();
  return `Etc/GMT${offset > 0 ? '-' : '+'}${Math.abs(offset)}`;
}

/** Moves the deadlines of runs and their tasks a day into the past. */
export async function passDeadlines(database: Database, runIds: readonly string[]): Promise<void> {
  const em = database.em.fork();
  const ids = runIds.map(() => '?').join(', ');
  const shift = (table: string, run: string, columns: readonly string[]) => `
    with shifted as materialized (
      select id, ${columns.map((name) => `${name} - interval '1 day' as ${name}`).join(', ')} from ${table} where ${run} in (${ids})
    )
    update ${table} set ${columns.map((name) => `${name} = shifted.${name}`).join(', ')}
    from shifted where ${table}.id = shifted.id`;
  await em.execute(shift('run_tasks', 'run_id', ['due_at', 'deadline_at']), [...runIds]);
  await em.execute(shift('runs', 'id', ['next_deadline_at']), [...runIds]);
  em.shared((caches) => caches).clear();
}
