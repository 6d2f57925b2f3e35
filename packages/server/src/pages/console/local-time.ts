import { Temporal } from 'temporal-polyfill';
import { badRequest } from '../../api-error.ts';

/** The timestamp for the value of a field of the type `datetime-local` in a time zone. Throws a 400. */
export function timestampOf(local: string, timeZone: string): string {
  try {
    return Temporal.PlainDateTime.from(local).toZonedDateTime(timeZone).toInstant().toString();
  } catch {
    throw badRequest('validation_failed', 'at: must be a date with a time like 2026-03-01T09:00; choose another time.');
  }
}

/** What is wrong with a text that is no time of the zone, for example because clocks skip it. */
export function localTimeProblem(timeZone: string): string {
  return `must be a date with a time that clocks in ${timeZone} show, like 2026-03-01T09:00`;
}
