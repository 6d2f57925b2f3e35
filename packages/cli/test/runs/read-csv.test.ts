import test from 'ava';
import { readCsv } from '../../src/csv-launch/read-csv.ts';

function linesOf(text: string): [line: number, cells: string[]][] {
  return readCsv(text, 'rows.csv', ',').rows.map(({ line, cells }) => [line, Object.values(cells)]);
}

test('a CSV file may mix line breaks, and its rows have the numbers of their lines', (t) => {
  t.deepEqual(linesOf('name,place\r\nA,1\nB,2\r\n"C\r\nD","3"\r\nE,4\rF,5'), [
    [2, ['A', '1']],
    [3, ['B', '2']],
    [5, ['C\r\nD', '3']],
    [6, ['E', '4']],
    [7, ['F', '5']],
  ]);
  t.deepEqual(linesOf('name,place\nA,1\r\n"B","2"\r\n'), [
    [2, ['A', '1']],
    [3, ['B', '2']],
  ]);
  t.deepEqual(linesOf('"na\r\nme",place\r\nA,1\r\n'), [[3, ['A', '1']]]);
});

test('lines of a CSV file without any text are no rows, however a spreadsheet writes them', (t) => {
  t.deepEqual(linesOf('name,place\n\nA,1\n  \n,\n" ", \nB,\n,\n,\n'), [
    [3, ['A', '1']],
    [7, ['B', '']],
  ]);
  t.throws(() => readCsv('name,place\n,\n', 'rows.csv', ','), { message: 'rows.csv has no rows below its header.' });
});

test('the error of a CSV file names the line, also after cells with Windows line breaks', (t) => {
  t.throws(() => linesOf('name,place\r\n"A\r\nB",1\r\nC,2,3\r\n'), { message: /got 3 on line 4\.$/ });
  t.throws(() => linesOf('name,place\r\n"A\r\nB",1\r\n"C\r\nD",2,3\r\n'), { message: /got 3 on line 5\.$/ });
});

test('a CSV file in UTF-16 without a byte order mark is rejected for what it is', (t) => {
  const text = Buffer.from('name\nA\n', 'utf16le').toString('utf8');
  t.throws(() => linesOf(text), { message: 'rows.csv has NUL characters. Save it as UTF-8 text and try again.' });
});
