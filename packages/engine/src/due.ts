import type { DueRule } from './process.ts';
import type { Clock, Instant, LocalDate } from './time.ts';

/** A deadline: what is shown, and the moment after which the task is overdue. */
export interface Deadline {
  readonly dueAt: Instant | null;
  readonly dueAtHasTime: boolean;
  readonly deadlineAt: Instant | null;
}

/** A deadline at a given moment; without a time of day it lasts to the end of that day. */
export function deadline(dueAt: Instant | null, dueAtHasTime: boolean, { calendar }: Clock): Deadline {
  const deadlineAt = dueAt === null || dueAtHasTime ? dueAt : calendar.endOfDay(dueAt);
  return { dueAt, dueAtHasTime, deadlineAt };
}

/** The deadline a rule gives a task at launch. A task that is never blocked is unblocked at launch. */
export function deadlineAtLaunch(rule: DueRule | null, scheduledDate: LocalDate, clock: Clock): Deadline {
  if (!rule) return deadline(null, true, clock);
  const origin = rule.from === 'SCHEDULED_DATE' ? clock.calendar.startOfDay(scheduledDate) : clock.now;
  return deadline(clock.calendar.add(origin, rule.offset), rule.hasTime, clock);
}
