import test from 'ava';
import * as fc from 'fast-check';
import { exactNumber } from '../src/exact-number.ts';

const exact: [text: string, value: number][] = [
  ['12.5', 12.5],
  ['+.50', 0.5],
  ['7.', 7],
  ['-1e3', -1000],
  ['0.000', 0],
  ['-0', 0],
  ['0e999', 0],
  ['1.0000000000000000', 1],
  ['1e-300', 1e-300],
  ['1'.padEnd(300, '0'), 1e299],
  ['123456789012345', 123_456_789_012_345],
  ['5e-324', 5e-324],
];
for (const [text, value] of exact)
  test(`the text ${text.slice(0, 20)} is exactly ${value}`, (t) => t.is(exactNumber(text), value));

for (const text of [
  '1e-400',
  '3e-324',
  '1e400',
  '1234567890123456',
  '1.00000000000000001',
  '',
  ' ',
  '.',
  '1 2',
  '0x10',
  '1e',
  'NaN',
  '-Infinity',
]) {
  test(`the text "${text}" is no number that is stored exactly`, (t) => t.is(exactNumber(text), undefined));
}

test('every number of at most 15 digits is read as it was written', (t) => {
  const property = fc.property(
    fc.bigInt({ min: -(10n ** 15n) + 1n, max: 10n ** 15n - 1n }),
    fc.integer({ min: -280, max: 280 }),
    (digits, power) => {
      const value = exactNumber(`${digits}e${power}`);
      return value !== undefined && value === Number(`${digits}e${power}`);
    },
  );
  fc.assert(property);
  t.pass();
});
