import test from 'ava';
import { pastTime } from '../../src/time.ts';

test('a time ago, a date and a date with a time are parsed', (t) => {
  const units = [
    ['90m', 90 * 60_000],
    ['2h', 2 * 3_600_000],
    ['3d', 3 * 86_400_000],
  ] as const;
  for (const [text, ms] of units) {
    const before = Date.now();
    const ago = Date.parse(pastTime(text)) + ms;
    t.true(ago >= before && ago <= Date.now(), text);
  }
  t.is(pastTime('2026-03-01'), new Date(2026, 2, 1).toISOString());
  t.is(pastTime('2026-03-01T17:00'), new Date(2026, 2, 1, 17).toISOString());
  t.is(pastTime('2026-03-01T17:00:30.5+02:00'), '2026-03-01T15:00:30.500Z');
  t.is(pastTime('2026-03-01 17:00Z'), '2026-03-01T17:00:00.000Z');
});

test('other text is rejected', (t) => {
  for (const text of ['', '2', 'h', '-2h', '2 h', '2w', 'yesterday', '2026-02-30', '2026-03-01T25:00', '01.03.2026']) {
    t.throws(() => pastTime(text), { message: /a time ago like 90m, 2h or 3d/ }, text);
  }
});
