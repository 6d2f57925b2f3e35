import { hash } from 'node:crypto';
import type { CellValue, ColumnType } from '@runward/contract';

/** How many UTF-16 code units of a text its key contains. A key must fit into a page of an index and into a cursor. */
const maximumLength = 80;

/** A text in the form in which texts are compared: in lower case. */
export function comparable(text: string): string {
  return text.normalize('NFC').toLowerCase();
}

/**
 * The sort key of a cell, a text. Compared byte by byte, keys have the same order as the values of the type. Equal keys
 * mean equal values, ignoring the case of text. Null for an empty cell, and for a RELATION column.
 */
export function keyOf(type: ColumnType, value: CellValue | undefined): string | null {
  if (value === undefined || value === null || type === 'RELATION') return null;
  if (typeof value === 'number') return keyOfNumber(value);
  if (typeof value === 'boolean') return value ? '1' : '0';
  return type === 'TEXT' ? keyOfText(value) : value;
}

/** The text without accents, which determines the order, then the exact text. */
function keyOfText(value: string): string {
  const exact = comparable(value);
  const plain = exact.normalize('NFKD').replaceAll(/\p{M}/gu, '');
  return plain === exact ? cut(exact) : `${cut(plain)}\u0001${cut(exact)}`;
}

/** The beginning of a text. If the text is longer, the hash of the whole text follows. */
function cut(text: string): string {
  if (text.length <= maximumLength) return text;
  const digest = hash('sha256', text, 'base64url').slice(0, 16);
  return `${text.slice(0, maximumLength).toWellFormed()}\u0002${digest}`;
}

/**
 * The sign, the exponent and the digits of a number. A negative number has the complements of its exponent and digits,
 * because numbers with larger ones come first.
 */
function keyOfNumber(value: number): string {
  if (value === 0) return '1';
  const [mantissa = '', exponent] = Math.abs(value).toExponential().split('e');
  const digits = mantissa.replace('.', '');
  const order = Number(exponent) + 500;
  if (value > 0) return `2${order}${digits}`;
  return `0${999 - order}${digits.replaceAll(/\d/g, (digit) => String(9 - Number(digit)))}~`;
}
