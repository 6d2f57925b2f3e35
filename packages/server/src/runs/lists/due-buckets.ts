import { dueBuckets, type DueBucket } from '@runward/contract';
import { calendarOf, today } from '../../calendar.ts';

/** From when until before when a deadline is in a bucket; without a value, there is no such limit. */
export interface DueRange {
  readonly from?: string;
  readonly to?: string;
}

/** The ranges of deadlines, in the order of time. */
export type DueRanges = Readonly<Record<Exclude<DueBucket, 'NONE'>, DueRange>>;

/** The ranges of the buckets in a time zone. A week begins on Monday, as in analytics. */
export function dueRanges(timeZone: string, now: Date): DueRanges {
  const date = today(timeZone, now);
  const daysSinceMonday = (new Date(date).getUTCDay() + 6) % 7;
  const startIn = (days: number) => {
    const later = new Date(Date.parse(date) + days * 86_400_000).toISOString().slice(0, 10);
    return calendarOf(timeZone).startOfDay(later);
  };
  const [tomorrow, monday] = [startIn(1), startIn(7 - daysSinceMonday)];
  return {
    OVERDUE: { to: now.toISOString() },
    TODAY: { from: now.toISOString(), to: tomorrow },
    THIS_WEEK: { from: tomorrow, to: monday },
    LATER: { from: monday },
  };
}

/** The bucket of a deadline. */
export function dueOf(ranges: DueRanges, deadlineAt: string | null): DueBucket {
  if (deadlineAt === null) return 'NONE';
  const isBefore = ({ to }: DueRange) => to === undefined || deadlineAt < to;
  return dueBuckets.find((due) => due === 'NONE' || isBefore(ranges[due])) ?? 'NONE';
}
