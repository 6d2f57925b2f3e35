import type { Instant, LocalDate } from '@runward/engine';
import { calendarOf } from '../calendar.ts';
import { addDays, lengthOf, type Range } from './range.ts';

/** A period divided into days, weeks or months. `starts` has one additional entry, the end of the last one. */
export interface Buckets {
  /** The day, the Monday of the week (even if it is before the period), or the month like `2026-03`. */
  readonly keys: readonly string[];
  readonly starts: readonly Instant[];
}

/** The units that a period can be divided into. */
export type BucketUnit = 'DAY' | 'WEEK' | 'MONTH';

const dayMs = 86_400_000;
const keyOf: Readonly<Record<BucketUnit, (date: LocalDate) => string>> = {
  DAY: (date) => date,
  WEEK: (date) => addDays(date, -((new Date(date).getUTCDay() + 6) % 7)),
  MONTH: (date) => date.slice(0, 7),
};

/** Divides a period. Days begin and end in the time zone. */
export function bucketsOf(range: Range, unit: BucketUnit, timeZone: string): Buckets {
  const keys: string[] = [];
  const starts: Instant[] = [];
  const days = startsOfDays(range, timeZone);
  for (const [index, start] of days.entries()) {
    const key = keyOf[unit](addDays(range.from, index));
    const isEnd = index === days.length - 1;
    if (!isEnd && key === keys.at(-1)) continue;
    if (!isEnd) keys.push(key);
    starts.push(start);
  }
  return { keys, starts };
}

/**
 * The first instant of every day of a period, and of the day after it. Asking the calendar for every day of ten years
 * would block the process. If a week has 7 * 24 hours, each of its days has 24.
 */
function startsOfDays(range: Range, timeZone: string): Instant[] {
  const { startOfDay } = calendarOf(timeZone);
  const starts: Instant[] = [];
  const length = lengthOf(range);
  let start = startOfDay(range.from);
  for (let index = 0; index < length;) {
    const days = Math.min(7, length - index);
    const next = startOfDay(addDays(range.from, index + days));
    const isEven = Date.parse(next) - Date.parse(start) === days * dayMs;
    for (let each = 0; each < days; each += 1) {
      starts.push(
        isEven
          ? new Date(Date.parse(start) + each * dayMs).toISOString()
          : startOfDay(addDays(range.from, index + each)),
      );
    }
    start = next;
    index += days;
  }
  return [...starts, start];
}
