import test from 'ava';
import { calendarOf, today } from '../src/calendar.ts';

test('a day begins and ends where its zone says, also when the clock changes', (t) => {
  const berlin = calendarOf('Europe/Berlin');
  t.is(berlin.startOfDay('2026-03-29'), '2026-03-28T23:00:00.000Z');
  t.is(berlin.endOfDay('2026-03-29T10:00:00.000Z'), '2026-03-29T21:59:59.999Z');
  t.is(berlin.endOfDay('2026-10-25T00:30:00.000Z'), '2026-10-25T22:59:59.999Z');
  t.is(calendarOf('Pacific/Kiritimati').endOfDay('2026-01-01T09:00:00.000Z'), '2026-01-01T09:59:59.999Z');
  t.is(calendarOf('Etc/GMT+12').endOfDay('2026-01-01T09:00:00.000Z'), '2026-01-01T11:59:59.999Z');
  // In Beirut the clock skips midnight on 2026-03-29: the day begins at one, and the one before lasts until then.
  t.is(calendarOf('Asia/Beirut').startOfDay('2026-03-29'), '2026-03-28T22:00:00.000Z');
  t.is(calendarOf('Asia/Beirut').endOfDay('2026-03-29T12:00:00.000Z'), '2026-03-29T20:59:59.999Z');
});

test('days keep the local time, hours are hours', (t) => {
  const berlin = calendarOf('Europe/Berlin');
  t.is(berlin.add('2026-03-28T09:00:00.000Z', 'P1D'), '2026-03-29T08:00:00.000Z');
  t.is(berlin.add('2026-03-28T09:00:00.000Z', 'PT24H'), '2026-03-29T09:00:00.000Z');
  t.is(berlin.add('2026-01-31T09:00:00.000Z', 'P1M'), '2026-02-28T09:00:00.000Z');
});

test('today is the day in the zone', (t) => {
  const now = new Date('2026-01-01T11:00:00Z');
  t.is(today('Pacific/Kiritimati', now), '2026-01-02');
  t.is(today('Etc/GMT+12', now), '2025-12-31');
});
