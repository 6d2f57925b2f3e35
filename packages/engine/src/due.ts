import type { DueRule } from './process.ts';
import type { Clock, Instant, LocalDate } from './time.ts';

/**
 * A due date as shown (`dueAt`), the time from which the task is overdue (`deadlineAt`), and the time of its reminder
 * (`dueSoonAt`). Without `dueSoonAt`, there is no reminder.
 */
export interface Deadline {
  readonly dueAt: Instant | null;
  readonly dueAtHasTime: boolean;
  readonly deadlineAt: Instant | null;
  readonly dueSoonAt?: Instant;
}

/**
 * The deadline of a due date. A due date without a time ends with its day. There is no reminder if its time has
 * already passed, because the person who sets such a date knows that it is close.
 */
export function deadline(
  dueAt: Instant | null,
  dueAtHasTime: boolean,
  rule: DueRule | null,
  { now, calendar, remindBefore }: Clock,
): Deadline {
  const deadlineAt = dueAt === null || dueAtHasTime ? dueAt : calendar.endOfDay(dueAt);
  const due = { dueAt, dueAtHasTime, deadlineAt };
  if (deadlineAt === null) return due;
  const dueSoonAt = calendar.subtract(deadlineAt, rule?.remindBefore ?? remindBefore);
  return now < dueSoonAt && dueSoonAt < deadlineAt ? { ...due, dueSoonAt } : due;
}

/** The deadline that a due rule sets at launch. None if the rule counts from unblocking and the task is blocked. */
export function deadlineAtLaunch(
  rule: DueRule | null,
  isBlocked: boolean,
  { scheduledDate, launchedAt }: { readonly scheduledDate: LocalDate; readonly launchedAt: Instant },
  clock: Clock,
): Deadline {
  if (!rule || (isBlocked && rule.from === 'UNBLOCKED')) return deadline(null, rule?.hasTime ?? true, rule, clock);
  const origins = {
    LAUNCH: launchedAt,
    SCHEDULED_DATE: clock.calendar.startOfDay(scheduledDate),
    UNBLOCKED: clock.now,
  };
  return deadline(clock.calendar.add(origins[rule.from], rule.offset), rule.hasTime, rule, clock);
}

/** The deadline of a task that is unblocked now. Null if its due rule does not count from unblocking. */
export function dueAfterUnblocking(rule: DueRule | null, clock: Clock): Deadline | null {
  if (rule?.from !== 'UNBLOCKED') return null;
  return deadline(clock.calendar.add(clock.now, rule.offset), rule.hasTime, rule, clock);
}
