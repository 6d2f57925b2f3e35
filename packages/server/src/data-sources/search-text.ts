import type { CellValue } from '@runward/contract';
import { caseFolded } from '@runward/engine';
import { comparable } from './cell-keys.ts';
import type { DataSourceColumn } from './entities/data-source-column.ts';
import { textOfCell } from './row-label.ts';

/**
 * The mark before the text of a cell, which identifies its slot. It consists of control characters, which cells and
 * searches cannot contain.
 */
export function markOf(slot: number): string {
  return `\u0002${String.fromCharCode(14 + Math.floor(slot / 16), 14 + (slot % 16))}`;
}

/** All searched texts of a row, each after the mark of its slot, and the numbers of their grams. */
export function searchOf(
  dataSourceId: string,
  columns: readonly DataSourceColumn[],
  cells: Readonly<Record<string, CellValue>>,
): { searchText: string; grams: number[] } {
  let searchText = '';
  const grams = new Set<number>();
  for (const column of columns) {
    const value = cells[column.id];
    if (value === undefined || value === null || typeof value === 'boolean') continue;
    const text = comparable(textOfCell(column, value));
    searchText += markOf(column.slot) + text;
    addGrams(grams, seedOf(dataSourceId), text);
  }
  return { searchText, grams: [...grams] };
}

/**
 * The numbers of the grams that a row has if one of its cells contains the text. Empty for a text that is too short.
 */
export function gramsOf(dataSourceId: string, text: string): number[] {
  const grams = new Set<number>();
  // Stored texts have either form of the sigma, so the text is split there.
  for (const part of caseFolded(text).split('σ')) addGrams(grams, seedOf(dataSourceId), part);
  return [...grams];
}

const length = 3;
const prime = 16_777_619;

/**
 * Adds the numbers of the grams of a text. A gram is three consecutive characters. Its number is their hash (FNV-1a),
 * with the data source as the seed.
 */
function addGrams(grams: Set<number>, seed: number, text: string): void {
  for (let start = 0; start + length <= text.length; start += 1) {
    let hash = seed;
    for (let index = start; index < start + length; index += 1) hash = Math.imul(hash ^ text.charCodeAt(index), prime);
    grams.add(hash | 0);
  }
}

/** A gram's number depends on the data source, so that a search reads no index entries of other organizations. */
function seedOf(dataSourceId: string): number {
  return Number.parseInt(dataSourceId.slice(-8), 16) | 0;
}
