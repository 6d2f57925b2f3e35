/**
 * A timestamp in ISO 8601, UTC, with milliseconds: `2026-03-01T09:00:00.000Z`. Sorting them as text sorts them by time.
 */
export type Instant = string;

/** A calendar day: `2026-03-01`. */
export type LocalDate = string;

/**
 * Calendar arithmetic in the organization's time zone. The caller supplies it, so that the engine needs no time zone
 * data.
 */
export interface Calendar {
  /** The first moment of a day. */
  startOfDay(date: LocalDate): Instant;
  /** The last millisecond of the day that contains a timestamp. */
  endOfDay(at: Instant): Instant;
  /** A timestamp plus an ISO 8601 duration; days and larger units keep the local time of day. */
  add(at: Instant, duration: string): Instant;
  /** A timestamp minus a duration, in the same way. */
  subtract(at: Instant, duration: string): Instant;
}

/** The time of a command and the calendar its deadlines are computed in. */
export interface Clock {
  readonly now: Instant;
  readonly calendar: Calendar;
  /** How long before a deadline reminders are due (ISO 8601 duration), unless a task says otherwise. */
  readonly remindBefore: string;
}
