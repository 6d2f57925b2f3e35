import { maximumYears } from '@runward/contract';
import type { LocalDate } from '@runward/engine';
import { badRequest } from '../api-error.ts';
import { today } from '../calendar.ts';

/** The first and the last day of a period, in the time zone of the organization. Both are included. */
export interface Range {
  readonly from: LocalDate;
  readonly to: LocalDate;
}

/** The length of a day. Days are computed in UTC, where all have the same length. */
const day = 86_400_000;
const defaultDays = 30;
/** The earliest date that requests and responses may contain. */
const earliest: LocalDate = '1900-01-01';

/**
 * The period of a request; by default the 30 days up to today, as far as dates go back. Throws a 400 if it is reversed
 * or longer than ten years.
 */
export function rangeOf(
  asked: { readonly from?: LocalDate | undefined; readonly to?: LocalDate | undefined },
  timeZone: string,
  now: Date,
): Range {
  const to = asked.to ?? today(timeZone, now);
  const usual = addDays(to, 1 - defaultDays);
  const from = asked.from ?? (usual < earliest ? earliest : usual);
  if (to < from) {
    const remedy = asked.to === undefined ? `; it is today, ${to}, unless it is given` : '';
    throw badRequest([`to: must not be before from${remedy}`]);
  }
  const limit = `${Number(from.slice(0, 4)) + maximumYears}${from.slice(4)}`;
  if (to >= limit) throw badRequest([`to: must be at most ${maximumYears} years after from, here before ${limit}`]);
  return { from, to };
}

/** The preceding period of equal length. */
export function before(range: Range): Range {
  return { from: addDays(range.from, -lengthOf(range)), to: addDays(range.from, -1) };
}

/** The number of days of a period. */
export function lengthOf({ from, to }: Range): number {
  return (Date.parse(to) - Date.parse(from)) / day + 1;
}

/** The date a number of days after another date. */
export function addDays(date: LocalDate, days: number): LocalDate {
  return new Date(Date.parse(date) + days * day).toISOString().slice(0, 10);
}
