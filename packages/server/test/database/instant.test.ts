import test from 'ava';
import * as fc from 'fast-check';
import { instant, instantOrNull } from '../../src/database/instant.ts';

test('both timestamp formats of PostgreSQL, in UTC and other zones, give the same instant', (t) => {
  const expected = '2026-03-01T09:30:00.120Z';
  for (const text of [
    '2026-03-01 09:30:00.12+00',
    '2026-03-01T09:30:00.12+00:00',
    '2026-03-01T09:30:00.120456+00:00',
    '2026-03-01T11:30:00.12+02:00',
    '2026-03-01T09:30:00.12Z',
  ]) {
    t.is(instant(text), expected, text);
  }
  t.is(instant('2026-03-01 09:30:00+00'), '2026-03-01T09:30:00.000Z');
  t.is(instantOrNull(null), null);
});

test('instants equal those of Date for every timestamp in range', (t) => {
  const moments = fc.date({ min: new Date('1900-01-01'), max: new Date('3300-01-01'), noInvalidDate: true });
  fc.assert(
    fc.property(moments, (moment) => {
      const iso = moment.toISOString();
      const trimmed = iso.replace(/\.?0*Z$/, '+00:00');
      t.is(instant(trimmed), iso);
      t.is(instant(trimmed.replace('T', ' ').replace('+00:00', '+00')), iso);
    }),
  );
});
