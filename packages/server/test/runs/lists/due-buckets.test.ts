import test from 'ava';
import { dueOf, dueRanges } from '../../../src/runs/lists/due-buckets.ts';

/** The buckets of deadlines at a time in a time zone. */
function bucketsAt(timeZone: string, now: string, deadlines: readonly (string | null)[]) {
  const ranges = dueRanges(timeZone, new Date(now));
  return deadlines.map((deadline) => dueOf(ranges, deadline && new Date(deadline).toISOString()));
}

test('a deadline is overdue before now, then due today, this week until Sunday, later, or not at all', (t) => {
  // A Wednesday.
  t.deepEqual(
    bucketsAt('UTC', '2026-03-04T12:00:00Z', [
      '2026-03-04T11:59:59.999Z',
      '2026-03-04T12:00:00Z',
      '2026-03-04T23:59:59.999Z',
      '2026-03-05T00:00:00Z',
      '2026-03-08T23:59:59.999Z',
      '2026-03-09T00:00:00Z',
      null,
    ]),
    ['OVERDUE', 'TODAY', 'TODAY', 'THIS_WEEK', 'THIS_WEEK', 'LATER', 'NONE'],
  );
});

test('on a Sunday, tomorrow is later', (t) => {
  const deadlines = ['2026-03-08T23:59:59.999Z', '2026-03-09T00:00:00Z'];
  t.deepEqual(bucketsAt('UTC', '2026-03-08T12:00:00Z', deadlines), ['TODAY', 'LATER']);
});

test('days are those of the time zone, which may be ahead of or behind UTC', (t) => {
  const now = '2026-03-04T12:00:00Z';
  const deadlines = ['2026-03-04T23:00:00Z', '2026-03-05T09:00:00Z', '2026-03-05T10:30:00Z'];
  t.deepEqual(bucketsAt('Pacific/Kiritimati', now, deadlines), ['TODAY', 'TODAY', 'THIS_WEEK']);
  t.deepEqual(bucketsAt('Pacific/Pago_Pago', now, deadlines), ['TODAY', 'TODAY', 'TODAY']);
  t.deepEqual(bucketsAt('UTC', now, deadlines), ['TODAY', 'THIS_WEEK', 'THIS_WEEK']);
});

test('days with a daylight-saving change end at their midnight', (t) => {
  // Sunday 2026-03-29 has 23 hours in Berlin, Sunday 2026-10-25 has 25.
  const spring = ['2026-03-29T21:59:59.999Z', '2026-03-29T22:00:00Z'];
  t.deepEqual(bucketsAt('Europe/Berlin', '2026-03-28T23:30:00Z', spring), ['TODAY', 'LATER']);
  t.deepEqual(bucketsAt('Europe/Berlin', '2026-03-28T22:30:00Z', spring), ['THIS_WEEK', 'LATER']);
  const autumn = ['2026-10-25T22:59:59.999Z', '2026-10-25T23:00:00Z'];
  t.deepEqual(bucketsAt('Europe/Berlin', '2026-10-24T22:30:00Z', autumn), ['TODAY', 'LATER']);
  // In Beirut, Sunday 2026-03-29 begins at 01:00.
  const beirut = ['2026-03-28T21:59:59.999Z', '2026-03-28T22:00:00Z'];
  t.deepEqual(bucketsAt('Asia/Beirut', '2026-03-28T12:00:00Z', beirut), ['TODAY', 'THIS_WEEK']);
});
