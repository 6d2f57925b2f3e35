import test from 'ava';
import { repeatable, rowsPerRequest, toBatches } from '../../src/csv-launch/batches.ts';
import type { Intent, JournalEntry } from '../../src/csv-launch/journal.ts';
import type { LaunchRow } from '../../src/csv-launch/rows.ts';

const serverTime = Date.parse('2026-03-02T12:00:00Z');
const caller = 'key';
const bodyOf = (title: string) => ({ templateId: '0195f3a0-5cde-70f1-8298-f41f7d1c8b90', title });
const rowOf = (key: string, title = key): LaunchRow => ({ key, line: 2, body: bodyOf(title) });
const rowsOf = (...keys: readonly string[]) => new Map(keys.map((key) => [key, rowOf(key)]));
const intent = (row: string, batch: string, more: Partial<Intent> = {}): Intent => ({
  type: 'intent',
  template: 'template',
  keyedBy: 'content',
  line: 2,
  at: '2026-03-02T11:00:00Z',
  since: '2026-03-02T11:00:00Z',
  body: bodyOf(row),
  row,
  batch,
  caller,
  ...more,
});
const failed = (row: string): JournalEntry => ({ type: 'failed', row, template: 'template', messages: [] });
const launched = (row: string): JournalEntry => {
  return { type: 'launched', row, template: 'template', runId: row, publicId: row, title: row };
};
const repeats = (entries: readonly JournalEntry[], rows = rowsOf('a', 'b')) =>
  repeatable(entries, rows, { caller, serverTime }).map(({ key, launches }) => [
    key,
    launches.map(({ row }) => row?.key),
  ]);

test('rows are divided by their number and their size, and large templates get fewer rows per request', (t) => {
  const pending = Array.from({ length: 5 }, (_, index) => ({ row: rowOf(String(index)), since: null }));
  t.deepEqual(
    toBatches(pending, 2).map(({ launches }) => launches.length),
    [2, 2, 1],
  );
  const long = { row: rowOf('long', 'x'.repeat(300_000)), since: null };
  t.is(toBatches([long, long], 500).length, 2);
  t.deepEqual([null, 0, 1, 14, 500, 9_000].map(rowsPerRequest), [100, 500, 500, 178, 5, 1]);
});

test('an interrupted request is repeated whole, with the rows whose results are known', (t) => {
  const entries = [intent('a', 'x'), intent('b', 'x'), launched('a')];
  t.deepEqual(repeats(entries), [['x', [undefined, 'b']]]);
  t.deepEqual(repeats([...entries, launched('b')]), []);
});

test('an interrupted request is not repeated if that could launch a row twice, or other content than the file has', (t) => {
  const entries = [intent('a', 'x'), intent('b', 'x')];
  t.deepEqual(repeats([...entries, failed('a')]), [], 'a row that was not launched');
  t.deepEqual(repeats([...entries, failed('a'), intent('a', 'y'), launched('a')]), [], 'a row launched since');
  t.deepEqual(repeats([...entries, intent('a', 'y')]), [['y', ['a']]], 'a row sent again');
  t.deepEqual(repeats(entries, rowsOf('a')), [], 'a row that is gone');
  t.deepEqual(repeats(entries, new Map([...rowsOf('a'), ['b', rowOf('b', 'other')]])), [], 'a row that has changed');
  t.deepEqual(repeats([intent('a', 'x', { caller: 'other' })]), [], 'another API key');
  t.deepEqual(repeats([intent('a', 'x', { since: '2026-03-01T12:00:00Z' })]), [], 'a key that is too old');
  const { batch: _, ...old } = intent('a', 'x');
  t.deepEqual(repeats([old]), [], 'an older journal');
});
