import type { Total } from '@runward/contract';
import type { Formats } from './formats.ts';

/** How many records a list has, as the beginning of a sentence: `1 line`, `More than 10,000 lines`. */
export function totalNote(formats: Formats, page: Total, one: string, several: string): string {
  const text = `${formats.total(page)} ${page.total === 1 && page.totalIsExact !== false ? one : several}`;
  return text.charAt(0).toUpperCase() + text.slice(1);
}
