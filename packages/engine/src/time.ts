/** A moment as ISO 8601 in UTC with milliseconds: `2026-03-01T09:00:00.000Z`. Comparing two as text compares them in time. */
export type Instant = string;

/** A day as `2026-03-01`. */
export type LocalDate = string;

/** Calendar arithmetic in the organization's time zone; the caller supplies it, so that the engine itself knows no zone. */
export interface Calendar {
  /** The first moment of a day. */
  startOfDay(date: LocalDate): Instant;
  /** The last millisecond of the day a moment lies in. */
  endOfDay(at: Instant): Instant;
  /** A moment plus an ISO 8601 duration; days and larger units keep the local time of day. */
  add(at: Instant, duration: string): Instant;
}

/** When a command happens, and in which calendar. */
export interface Clock {
  readonly now: Instant;
  readonly calendar: Calendar;
}
