import { Problem, Warning } from '../part.ts';
import type { DataContext } from './context.ts';
import { readClock } from './queries/read-server.ts';

const warnMs = 1_000;
const worstMs = 60_000;

/** Compares the clock of this machine with that of PostgreSQL. */
export async function checkClock({ read }: DataContext): Promise<string> {
  const [before, ms, after] = await read(async (em) => {
    // The connection exists now, so that opening it does not count.
    const before = Date.now();
    const [row] = await readClock(em);
    return [before, row?.ms ?? before, Date.now()] as const;
  });
  return judgeClock(differenceOf(before, ms, after));
}

/** By how many milliseconds a time is certainly ahead of the clock that showed the others before and after it. */
export function differenceOf(before: number, ms: number, after: number): number {
  if (ms < before) return ms - before;
  return ms > after ? ms - after : 0;
}

/** Throws if PostgreSQL is so many milliseconds ahead of this machine, or behind it if they are negative. */
export function judgeClock(differenceMs: number): string {
  const size = Math.abs(differenceMs);
  if (size <= warnMs) return 'that of this machine and that of PostgreSQL agree';
  const what = `that of PostgreSQL is ${Math.round(size / 1_000)} s ${differenceMs > 0 ? 'ahead of' : 'behind'} that of this machine`;
  const remedy = 'synchronize both with NTP';
  throw size > worstMs ? new Problem(what, remedy) : new Warning(what, remedy);
}
