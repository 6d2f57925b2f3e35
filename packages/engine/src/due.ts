import type { DueRule } from './process.ts';
import type { Clock, Instant, LocalDate } from './time.ts';

/** A due date as shown (`dueAt`), and the time after which the task is overdue (`deadlineAt`). */
export interface Deadline {
  readonly dueAt: Instant | null;
  readonly dueAtHasTime: boolean;
  readonly deadlineAt: Instant | null;
}

/** The deadline of a due date; one without a time of day ends with its day. */
export function deadline(
  dueAt: Instant | null,
  dueAtHasTime: boolean,
  { calendar }: Pick<Clock, 'calendar'>,
): Deadline {
  const deadlineAt = dueAt === null || dueAtHasTime ? dueAt : calendar.endOfDay(dueAt);
  return { dueAt, dueAtHasTime, deadlineAt };
}

/** The deadline that a due rule gives a task at launch. A task without dependencies is unblocked at launch. */
export function deadlineAtLaunch(rule: DueRule | null, scheduledDate: LocalDate, clock: Clock): Deadline {
  if (!rule) return deadline(null, true, clock);
  const origin = rule.from === 'SCHEDULED_DATE' ? clock.calendar.startOfDay(scheduledDate) : clock.now;
  return deadline(clock.calendar.add(origin, rule.offset), rule.hasTime, clock);
}
