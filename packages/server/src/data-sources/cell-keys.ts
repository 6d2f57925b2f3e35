import { createHash } from 'node:crypto';
import type { CellValue, ColumnType } from '@runward/contract';

/** The longest part of a text that its key contains, in UTF-16 code units; a key has to fit into a page of an index and into a cursor. */
const maximumLength = 80;

/** Text as it is compared: in one case. */
export function comparable(text: string): string {
  return text.normalize('NFC').toLowerCase();
}

/**
 * The sort key of a cell: texts that compare, byte by byte, like the values of the type. Equal keys mean equal values, text without regard to
 * case. Null for an empty cell, and for a RELATION column.
 */
export function keyOf(type: ColumnType, value: CellValue | undefined): string | null {
  if (value === undefined || value === null || type === 'RELATION') return null;
  if (typeof value === 'number') return keyOfNumber(value);
  if (typeof value === 'boolean') return value ? '1' : '0';
  return type === 'TEXT' ? keyOfText(value) : value;
}

/** First as it sorts, without accents, then as it is. */
function keyOfText(value: string): string {
  const exact = comparable(value);
  const plain = exact.normalize('NFKD').replaceAll(/\p{M}/gu, '');
  return plain === exact ? cut(exact) : `${cut(plain)}\u0001${cut(exact)}`;
}

/** The beginning of a text; the hash of the whole behind it, if it is longer. */
function cut(text: string): string {
  if (text.length <= maximumLength) return text;
  const hash = createHash('sha256').update(text).digest('base64url').slice(0, 16);
  return `${text.slice(0, maximumLength).toWellFormed()}\u0002${hash}`;
}

/** Its sign, its exponent and its digits; those of a negative number as complements, because the larger ones come first. */
function keyOfNumber(value: number): string {
  if (value === 0) return '1';
  const [mantissa = '', exponent] = Math.abs(value).toExponential().split('e');
  const digits = mantissa.replace('.', '');
  const order = Number(exponent) + 500;
  if (value > 0) return `2${order}${digits}`;
  return `0${999 - order}${digits.replaceAll(/\d/g, (digit) => String(9 - Number(digit)))}~`;
}
