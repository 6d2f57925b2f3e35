import { bareLines, csvCharacters, formula } from '@runward/testing/bare-lines';
import test from 'ava';
import { parse } from 'csv-parse/sync';
import { array, assert, constantFrom, oneof, property, string } from 'fast-check';
import { csvLine, withoutApostrophe } from '../../src/output/csv-line.ts';

const part = oneof(constantFrom(...csvCharacters), string({ maxLength: 3 }));
const cell = array(part, { maxLength: 8 }).map((parts) => parts.join(''));

test('any texts are read back from a line of CSV as they were without apostrophes before formulas, and no line begins one', (t) =>
  t.notThrows(() =>
    assert(
      property(array(cell, { minLength: 2, maxLength: 3 }), (cells) => {
        const csv = csvLine(cells);
        const read: string[][] = parse(csv, { record_delimiter: '\n' });
        t.deepEqual(read, [cells.map((text) => (formula.test(text.replace(/^'+/, '')) ? `'${text}` : text))]);
        t.deepEqual(read[0]?.map(withoutApostrophe), cells);
        t.is(bareLines(csv).length, 2, 'only the end of the record is a line break outside of quotes');
        t.notRegex(csv, formula);
      }),
      { numRuns: 300 },
    ),
  ));
