import type { Calendar, Clock, LocalDate } from '@runward/engine';
import { Temporal } from 'temporal-polyfill';

/** Calendar arithmetic in an IANA time zone, exact at daylight-saving edges. */
export function calendarOf(timeZone: string): Calendar {
  const local = (at: string) => Temporal.Instant.from(at).toZonedDateTimeISO(timeZone);
  // The first instant of the day, which is not midnight if a daylight-saving change skips it.
  const startOf = (date: Temporal.PlainDate) => date.toZonedDateTime(timeZone);
  return {
    startOfDay: (date) => text(startOf(Temporal.PlainDate.from(date))),
    endOfDay: (at) => text(startOf(local(at).toPlainDate().add({ days: 1 })).subtract({ milliseconds: 1 })),
    add: (at, duration) => text(local(at).add(duration)),
    subtract: (at, duration) => text(local(at).subtract(duration)),
  };
}

/** What an organization has decided about its deadlines. */
export interface DeadlineSettings {
  /** The time zone in which days begin and end. */
  readonly timeZone: string;
  /** How long before a deadline reminders are due, as an ISO 8601 duration. */
  readonly remindBefore: string;
}

/** The clock of an organization at a time. */
export function clockOf({ timeZone, remindBefore }: DeadlineSettings, now: Date): Clock {
  return { now: now.toISOString(), calendar: calendarOf(timeZone), remindBefore };
}

/** Whether `name` is an IANA time zone; offsets like +01:00 are rejected. */
export function isTimeZone(name: string | undefined): name is string {
  try {
    return name !== undefined && /^[a-z]/i.test(name) && Boolean(new Intl.DateTimeFormat('en', { timeZone: name }));
  } catch {
    return false;
  }
}

/** The current date in a time zone. */
export function today(timeZone: string, now: Date): LocalDate {
  return Temporal.Instant.from(now.toISOString()).toZonedDateTimeISO(timeZone).toPlainDate().toString();
}

/** The next time at which clocks in a time zone show this hour. If they skip it on that day, an hour later. */
export function nextHour(hour: number, timeZone: string, now: Date): Date {
  const local = Temporal.Instant.fromEpochMilliseconds(now.getTime()).toZonedDateTimeISO(timeZone);
  const today = local.withPlainTime({ hour });
  const next = today.epochMilliseconds > now.getTime() ? today : local.add({ days: 1 }).withPlainTime({ hour });
  return new Date(next.epochMilliseconds);
}

/** The time of a wall clock in a time zone, by default to the minute: `2026-03-01T09:00`. */
export function localTime(at: string, timeZone: string, smallestUnit: 'minute' | 'second' = 'minute'): string {
  return Temporal.Instant.from(at).toZonedDateTimeISO(timeZone).toPlainDateTime().toString({ smallestUnit });
}

/**
 * The instant of a time like `2026-03-01T09:00`, the earlier one if there are two; undefined if clocks skip that time,
 * or the text is none.
 */
export function instantOf(local: string, timeZone: string): string | undefined {
  try {
    const time = Temporal.PlainDateTime.from(local);
    const zoned = time.toZonedDateTime(timeZone);
    return zoned.toPlainDateTime().equals(time) ? text(zoned) : undefined;
  } catch {
    return undefined;
  }
}

function text(time: Temporal.ZonedDateTime): string {
  return new Date(time.epochMilliseconds).toISOString();
}
