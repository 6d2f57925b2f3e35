import { bareLines, csvCharacters, formula } from '@runward/testing/bare-lines';
import test from 'ava';
import { parse } from 'csv-parse/sync';
import { array, assert, asyncProperty, constantFrom, oneof, string } from 'fast-check';
import { csvOf } from '../src/csv.ts';

const columns = [0, 1].map((index) => ({
  header: `column${index}`,
  value: (row: readonly string[]) => row[index] ?? '',
}));
const written = async (rows: readonly (readonly string[])[]) =>
  (await Array.fromAsync(csvOf(columns, [rows]))).join('');

/** Texts of the characters that matter to CSV and to spreadsheets, among others. */
const cell = array(oneof(constantFrom(...csvCharacters), string({ maxLength: 3 })), {
  maxLength: 8,
}).map((parts) => parts.join(''));

test('a text of several lines is one cell, whatever ends its lines', async (t) => {
  for (const end of ['\n', '\r', '\r\n']) {
    const text = ['=1', '=2', '=3'].join(end);
    t.is(await written([[text, 'b']]), `column0,column1\r\n"'${text}",b\r\n`);
  }
});

test('any texts are read back from CSV as they were, with an apostrophe before formulas, and no line of it begins one', (t) =>
  t.notThrowsAsync(
    assert(
      asyncProperty(array(array(cell, { minLength: 2, maxLength: 2 }), { maxLength: 4 }), async (rows) => {
        const csv = await written(rows);
        const expected = rows.map((row) => row.map((text) => (formula.test(text) ? `'${text}` : text)));
        const read: string[][] = parse(csv, { record_delimiter: '\r\n', from: 2 });
        t.deepEqual(read, expected);
        t.is(bareLines(csv).length, rows.length + 2, 'only the ends of records are line breaks outside of quotes');
        t.deepEqual(
          bareLines(csv).filter((line) => formula.test(line)),
          [],
        );
      }),
      { numRuns: 300 },
    ),
  ));

test('a large batch is written in small chunks, and other work is done between two of them', async (t) => {
  let turns = 0;
  const count = () => {
    turns += 1;
    turn = setImmediate(count);
  };
  let turn = setImmediate(count);
  const rows = Array.from({ length: 5_000 }, (_, index) => [String(index), 'x'.repeat(100)]);
  const chunks = await Array.fromAsync(csvOf(columns, [rows]));
  clearImmediate(turn);
  t.is(parse(chunks.join(''), { from: 2 }).length, rows.length);
  t.true(chunks.every(({ length }) => length < 40_000));
  t.true(turns >= chunks.length - 1, `${turns} turns for ${chunks.length} chunks`);
});
