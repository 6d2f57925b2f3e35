import type { DueRule } from './process.ts';
import type { Clock, Instant, LocalDate } from './time.ts';

/** A due date as shown (`dueAt`), and the time from which the task is overdue (`deadlineAt`). */
export interface Deadline {
  readonly dueAt: Instant | null;
  readonly dueAtHasTime: boolean;
  readonly deadlineAt: Instant | null;
}

/** The deadline of a due date. A due date without a time ends with its day. */
export function deadline(
  dueAt: Instant | null,
  dueAtHasTime: boolean,
  { calendar }: Pick<Clock, 'calendar'>,
): Deadline {
  const deadlineAt = dueAt === null || dueAtHasTime ? dueAt : calendar.endOfDay(dueAt);
  return { dueAt, dueAtHasTime, deadlineAt };
}

/** The deadline that a due rule sets at launch. None if the rule counts from unblocking and the task is blocked. */
export function deadlineAtLaunch(
  rule: DueRule | null,
  isBlocked: boolean,
  scheduledDate: LocalDate,
  clock: Clock,
): Deadline {
  if (!rule || (isBlocked && rule.from === 'UNBLOCKED')) return deadline(null, rule?.hasTime ?? true, clock);
  const origin = rule.from === 'SCHEDULED_DATE' ? clock.calendar.startOfDay(scheduledDate) : clock.now;
  return deadline(clock.calendar.add(origin, rule.offset), rule.hasTime, clock);
}

/** The deadline of a task that is unblocked now. Null if its due rule does not count from unblocking. */
export function dueAfterUnblocking(rule: DueRule | null, clock: Clock): Deadline | null {
  return rule?.from === 'UNBLOCKED' ? deadline(clock.calendar.add(clock.now, rule.offset), rule.hasTime, clock) : null;
}
