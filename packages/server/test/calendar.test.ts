import test from 'ava';
import * as fc from 'fast-check';
import { calendarOf, today } from '../src/calendar.ts';

test('a day starts and ends at midnight of its time zone, also on daylight-saving changes', (t) => {
  const berlin = calendarOf('Europe/Berlin');
  t.is(berlin.startOfDay('2026-03-29'), '2026-03-28T23:00:00.000Z');
  t.is(berlin.endOfDay('2026-03-29T10:00:00.000Z'), '2026-03-29T21:59:59.999Z');
  t.is(berlin.endOfDay('2026-10-25T00:30:00.000Z'), '2026-10-25T22:59:59.999Z');
  t.is(calendarOf('Pacific/Kiritimati').endOfDay('2026-01-01T09:00:00.000Z'), '2026-01-01T09:59:59.999Z');
  t.is(calendarOf('Etc/GMT+12').endOfDay('2026-01-01T09:00:00.000Z'), '2026-01-01T11:59:59.999Z');
  // In Beirut the daylight-saving change of 2026-03-29 skips midnight, so the day starts at 01:00.
  t.is(calendarOf('Asia/Beirut').startOfDay('2026-03-29'), '2026-03-28T22:00:00.000Z');
  t.is(calendarOf('Asia/Beirut').endOfDay('2026-03-29T12:00:00.000Z'), '2026-03-29T20:59:59.999Z');
});

test('adding days keeps the local time, adding hours does not', (t) => {
  const berlin = calendarOf('Europe/Berlin');
  t.is(berlin.add('2026-03-28T09:00:00.000Z', 'P1D'), '2026-03-29T08:00:00.000Z');
  t.is(berlin.add('2026-03-28T09:00:00.000Z', 'PT24H'), '2026-03-29T09:00:00.000Z');
  t.is(berlin.add('2026-01-31T09:00:00.000Z', 'P1M'), '2026-02-28T09:00:00.000Z');
});

test('today is the date in the time zone', (t) => {
  const now = new Date('2026-01-01T11:00:00Z');
  t.is(today('Pacific/Kiritimati', now), '2026-01-02');
  t.is(today('Etc/GMT+12', now), '2025-12-31');
});

const zones = Intl.supportedValuesOf('timeZone');
const formats = new Map<string, Intl.DateTimeFormat>();

/** The date and time in a time zone according to ICU, independently of the calendar's library. */
function localTime(zone: string, at: number): string {
  const style = { dateStyle: 'short', timeStyle: 'medium' } as const;
  const format = formats.get(zone) ?? new Intl.DateTimeFormat('sv-SE', { timeZone: zone, ...style });
  formats.set(zone, format);
  return format.format(at);
}

const dayOf = (zone: string, at: number) => localTime(zone, at).slice(0, 10);

/** A time near a daylight-saving change of a zone, if there is one in that year. */
function changeIn(zone: string, year: number): number | null {
  const offsetAt = (at: number) => Date.parse(`${localTime(zone, at).replace(' ', 'T')}Z`) - at;
  const start = Date.UTC(year, 0, 1);
  for (let week = 0; week < 52; week += 1) {
    const [from, to] = [start + week * 604_800_000, start + (week + 1) * 604_800_000];
    if (offsetAt(from) === offsetAt(to)) continue;
    let [low, high] = [from, to];
    while (high - low > 1_000) {
      const middle = Math.floor((low + high) / 2_000) * 1_000;
      if (offsetAt(middle) === offsetAt(from)) low = middle;
      else high = middle;
    }
    return high;
  }
  return null;
}

test('a day ends with its last millisecond in every time zone, also on daylight-saving changes', (t) => {
  // The clocks of Antarctica/Casey went back over midnight in 2010, so that a day began twice.
  const moment = fc
    .tuple(fc.constantFrom(...zones), fc.integer({ min: 1990, max: 2037 }), fc.integer({ min: -129_600, max: 129_600 }))
    .filter(([zone, year]) => zone !== 'Antarctica/Casey' || year !== 2010)
    .map(([zone, year, seconds]) => ({ zone, at: (changeIn(zone, year) ?? Date.UTC(year, 5, 15)) + seconds * 1_000 }));
  fc.assert(
    fc.property(moment, ({ zone, at }) => {
      const calendar = calendarOf(zone);
      const day = dayOf(zone, at);
      const end = Date.parse(calendar.endOfDay(new Date(at).toISOString()));
      t.true(end >= at);
      t.is(dayOf(zone, end), day);
      t.true(dayOf(zone, end + 1) > day);
      t.true(calendar.startOfDay(day) <= new Date(at).toISOString());
      t.is(dayOf(zone, Date.parse(calendar.startOfDay(day)) - 1) < day, true);
    }),
    { numRuns: 300 },
  );
});
