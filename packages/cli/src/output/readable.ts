import { cell, partOf } from './cells.ts';

// The Swedish format is ISO 8601 with a space: 2026-03-01 17:30.
const localTimes = new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short', timeStyle: 'short' });

/**
 * A field of a record for people. Times are in the local time zone, to the minute. A due date without a time is a date.
 * JSON has spaces. Everything else is a {@link cell}.
 */
export function readable(record: unknown, path: string): string {
  const value = partOf(record, path);
  const text = cell(value);
  if (typeof value === 'object' && text === JSON.stringify(value))
    return JSON.stringify(value, null, 1).replaceAll(/\n */g, ' ');
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(text)) return text;
  if (partOf(record, `${path}HasTime`) === false) return text.slice(0, 10);
  return localTime(text);
}

/** A timestamp in a message: on a terminal in the local time zone, to the minute; elsewhere as it is. */
export function shownTime({ isTerminal }: { readonly isTerminal: boolean }, timestamp: string): string {
  return isTerminal ? localTime(timestamp) : timestamp;
}

function localTime(timestamp: string): string {
  return localTimes.format(new Date(timestamp));
}
