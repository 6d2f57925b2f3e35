import test from 'ava';
import { readFileName } from '../src/file-name.ts';

const headers: [header: string, fileName: string | null][] = [
  ['attachment; filename=runs.csv', 'runs.csv'],
  ['attachment; filename="my runs.csv"', 'my runs.csv'],
  ['ATTACHMENT;FILENAME = "runs.csv" ; size=7', 'runs.csv'],
  ['attachment; filename="the \\"best\\".csv"', 'the "best".csv'],
  ['attachment; filename="a; filename=b.csv"', 'a; filename=b.csv'],
  [`attachment; filename="???.csv"; filename*=UTF-8''%E6%97%A5%E6%9C%AC.csv`, '日本.csv'],
  [`attachment; filename*=utf-8'en'na%C3%AFve%20plan.pdf; filename=plan.pdf`, 'naïve plan.pdf'],
  [`attachment; filename*=UTF-8''100%; filename="100.csv"`, '100.csv'],
  [`attachment; filename*=KOI8-R''%C1.csv; filename="a.csv"`, 'a.csv'],
  ['attachment; filename="../../etc/passwd"', 'passwd'],
  [`attachment; filename*=UTF-8''..%2F..%2F.bashrc`, '.bashrc'],
  ['attachment; filename="C:\\\\Windows\\\\system.ini"', 'system.ini'],
  ['attachment; filename="a\u0000b\u007f.csv"', 'ab.csv'],
  ['attachment; filename=first.csv; filename=second.csv', 'first.csv'],
  ['attachment; filename=".."', null],
  ['attachment; filename="reports/"', null],
  ['attachment; filename=""', null],
  ['attachment', null],
  ['', null],
  ['inline; name="runs.csv"', null],
];

for (const [header, fileName] of headers) {
  test(`the file name of ${JSON.stringify(header)} is ${JSON.stringify(fileName)}`, (t) => {
    t.is(readFileName(header), fileName);
  });
}

test('a missing Content-Disposition header has no file name', (t) => {
  t.is(readFileName(null), null);
});
