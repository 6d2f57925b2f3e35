import test from 'ava';
import * as fc from 'fast-check';
import { Temporal } from 'temporal-polyfill';
import { bucketsOf } from '../../src/analytics/buckets.ts';
import { addDays, lengthOf } from '../../src/analytics/range.ts';

/** Time zones with changes of an hour, of 30 minutes, at midnight, twice around Ramadan, and of a day. */
const timeZones = ['UTC', 'America/New_York', 'Australia/Lord_Howe', 'America/Sao_Paulo', 'Africa/Casablanca'].concat([
  'Pacific/Apia',
  'Asia/Kathmandu',
]);

test('days, weeks and months of a period begin when the calendar says, across changes of the clock', (t) => {
  const arbitraryRange = fc
    .tuple(fc.integer({ min: -3_000, max: 11_000 }), fc.integer({ min: 0, max: 500 }))
    .map(([first, days]) => ({ from: addDays('2000-01-01', first), to: addDays('2000-01-01', first + days) }));
  fc.assert(
    fc.property(
      arbitraryRange,
      fc.constantFrom(...timeZones),
      fc.constantFrom('DAY', 'WEEK', 'MONTH'),
      (range, timeZone, unit) => {
        const { keys, starts } = bucketsOf(range, unit, timeZone);
        const dates = Array.from({ length: lengthOf(range) + 1 }, (_, index) =>
          Temporal.PlainDate.from(range.from).add({ days: index }),
        );
        const begins = (date: Temporal.PlainDate) =>
          unit === 'DAY' || (unit === 'WEEK' ? date.dayOfWeek === 1 : date.day === 1);
        const expected = dates.filter((date, index) => index === 0 || index === dates.length - 1 || begins(date));
        t.deepEqual(
          starts,
          expected.map((date) => new Date(date.toZonedDateTime(timeZone).epochMilliseconds).toISOString()),
        );
        const keyOf = (date: Temporal.PlainDate) => {
          if (unit === 'MONTH') return date.toString().slice(0, 7);
          return (unit === 'DAY' ? date : date.subtract({ days: date.dayOfWeek - 1 })).toString();
        };
        t.deepEqual(keys, expected.slice(0, -1).map(keyOf));
      },
    ),
    { numRuns: 150 },
  );
});
