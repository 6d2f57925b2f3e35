import test from 'ava';
import * as fc from 'fast-check';
import { normalizeTimestamp } from '../src/timestamps.ts';
import { localDate, timestamp } from '../src/values.ts';

const two = (number: number) => String(number).padStart(2, '0');

/** Every notation of a moment in an offset of `minutes` from UTC. */
function notations(at: Date, minutes: number): { variant: string; standard: string }[] {
  const local = new Date(at.getTime() + minutes * 60_000).toISOString();
  const sign = minutes < 0 ? '-' : '+';
  const [hours, rest] = [two(Math.floor(Math.abs(minutes) / 60)), two(Math.abs(minutes) % 60)];
  const offsets = [`${sign}${hours}:${rest}`, `${sign}${hours}${rest}`, ...(rest === '00' ? [`${sign}${hours}`] : [])];
  if (minutes === 0) offsets.push('Z', 'z', '-00:00', '-0000', '-00');
  const [date, time] = [local.slice(0, 10), local.slice(11, 23)];
  const times = [time, time.replace('.', ','), `${time}999`];
  if (time.endsWith('.000')) times.push(time.slice(0, 8));
  if (time.endsWith(':00.000')) times.push(time.slice(0, 5));
  const standard = `${date}T${time}${sign}${hours}:${rest}`;
  return ['T', 't', ' '].flatMap((separator) =>
    times.flatMap((each) => offsets.map((offset) => ({ variant: `${date}${separator}${each}${offset}`, standard }))),
  );
}

const moments = fc.oneof(
  fc.date({ min: new Date('1900-01-02T00:00:00Z'), max: new Date('2999-12-30T00:00:00Z'), noInvalidDate: true }),
  // Whole minutes have the most notations.
  fc.integer({ min: -1_000_000, max: 400_000_000 }).map((minutes) => new Date(minutes * 60_000)),
);

test('every notation of a moment is normalized to that moment, and normalizing again changes nothing', (t) => {
  fc.assert(
    fc.property(moments, fc.integer({ min: -1439, max: 1439 }), (at, minutes) => {
      for (const { variant, standard } of notations(at, minutes)) {
        const normalized = normalizeTimestamp(variant);
        t.is(normalized, new Date(standard).toISOString(), variant);
        t.is(normalizeTimestamp(normalized ?? ''), normalized, variant);
      }
    }),
  );
});

test('text in the format of a timestamp is accepted as Date accepts it, except days that do not exist', (t) => {
  const number = (maximum: number) => fc.integer({ min: 0, max: maximum }).map(two);
  const parts = fc.tuple(number(13), number(32), number(25), number(60), number(59), number(24), number(60));
  fc.assert(
    fc.property(parts, ([month, day, hour, minute, second, offsetHour, offsetMinute]) => {
      const text = `2027-${month}-${day}T${hour}:${minute}:${second}+${offsetHour}:${offsetMinute}`;
      const exists = new Date(`2027-${month}-${day}T00:00:00Z`).getUTCDate() === Number(day);
      const time = Date.parse(text);
      t.is(normalizeTimestamp(text), exists && !Number.isNaN(time) ? new Date(time).toISOString() : null, text);
    }),
  );
});

test('a leap second is the next second, and exists only at 23:59 in UTC', (t) => {
  t.is(normalizeTimestamp('1990-12-31T23:59:60Z'), '1991-01-01T00:00:00.000Z');
  t.is(normalizeTimestamp('1990-12-31T15:59:60.5-08:00'), '1991-01-01T00:00:00.000Z');
  t.is(normalizeTimestamp('1990-12-31T15:59:60Z'), null);
  t.is(normalizeTimestamp('1990-12-31T23:59:61Z'), null);
});

test('anything else is not a timestamp', (t) => {
  const wrong = [
    '',
    '2026-03-01',
    '2026-03-01T09:00:00',
    '2026-03-01T09Z',
    '20260301T090000Z',
    '2026-03-01T09:00:00.Z',
    '2026-03-01T09:00:00+1',
    '2026-03-01T09:00:00 Z',
    ' 2026-03-01T09:00:00Z',
    '2026-03-01T09:00:00Z\n',
    '2026-02-29T00:00:00Z',
    '2026-03-01T24:00:01Z',
    '+002026-03-01T09:00:00Z',
    '٢٠٢٦-03-01T09:00:00Z',
  ];
  for (const text of wrong) t.is(normalizeTimestamp(text), null, text);
});

test('a timestamp must be between the years 1900 and 2999 in UTC', (t) => {
  const messageOf = (text: unknown) => timestamp.safeParse(text).error?.issues.map(({ message }) => message);
  const years = ['must be between the years 1900 and 2999 in UTC'];
  t.deepEqual(messageOf('2999-12-31T23:59:59-12:00'), years);
  t.deepEqual(messageOf('2999-12-31T24:00Z'), years);
  t.deepEqual(messageOf('1900-01-01T00:00:00+01:00'), years);
  t.deepEqual(messageOf('0000-01-01T00:00:00+01:00'), years);
  t.is(timestamp.parse('1899-12-31T23:59:59-01:00'), '1900-01-01T00:59:59.000Z');
  t.is(timestamp.parse('3000-01-01T00:00:00+01:00'), '2999-12-31T23:00:00.000Z');
  const format = ['must be an ISO 8601 timestamp with a time zone, like 2026-03-01T09:00:00Z'];
  t.deepEqual(messageOf('soon'), format);
  t.deepEqual(messageOf(5), format);
});

test('a date must be one, between the years 1900 and 2999, and is wrong in one way only', (t) => {
  const messageOf = (text: unknown) => localDate.safeParse(text).error?.issues.map(({ message }) => message);
  for (const text of ['1899-12-31', '3000-01-01']) {
    t.deepEqual(messageOf(text), ['must be between the years 1900 and 2999']);
  }
  for (const text of ['yesterday', '1.3.2026', '2026-02-30', 5]) {
    t.deepEqual(messageOf(text), ['must be a date like 2026-03-01']);
  }
  t.is(messageOf('2026-03-01'), undefined);
});
