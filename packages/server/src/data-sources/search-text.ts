import type { CellValue } from '@runward/contract';
import { caseFolded } from '@runward/engine';
import { comparable } from './cell-keys.ts';
import type { DataSourceColumn } from './entities/data-source-column.ts';

/** What stands before the text of a cell: control characters, which cells and searches cannot contain, that tell its slot. */
export function markOf(slot: number): string {
  return `\u0002${String.fromCharCode(14 + Math.floor(slot / 16), 14 + (slot % 16))}`;
}

/** The text of a cell that a search looks through; null if it does not look through cells of this type. */
function searchedTextOf(
  { type, settings }: Pick<DataSourceColumn, 'type' | 'settings'>,
  value: CellValue | undefined,
): string | null {
  if (value === undefined || value === null || typeof value === 'boolean') return null;
  const label = type === 'STATUS' && settings.options?.find(({ key }) => key === value)?.label;
  return comparable(label || String(value));
}

/** Every text of a row that a search looks through, each after the mark of its slot; and the numbers of their grams. */
export function searchOf(
  dataSourceId: string,
  columns: readonly DataSourceColumn[],
  cells: Readonly<Record<string, CellValue>>,
): { searchText: string; grams: number[] } {
  let searchText = '';
  const grams = new Set<number>();
  for (const column of columns) {
    const text = searchedTextOf(column, cells[column.id]);
    if (text === null) continue;
    searchText += markOf(column.slot) + text;
    addGrams(grams, seedOf(dataSourceId), text);
  }
  return { searchText, grams: [...grams] };
}

/** The numbers of the grams that a row has if one of its cells contains the text; empty for a text that is too short. */
export function gramsOf(dataSourceId: string, text: string): number[] {
  const grams = new Set<number>();
  // Stored texts have either form of the sigma.
  for (const part of caseFolded(text).split('σ')) addGrams(grams, seedOf(dataSourceId), part);
  return [...grams];
}

const length = 3;
const prime = 16_777_619;

/** A gram is three characters in a row. Its number is their hash (FNV-1a), which the data source seeds. */
function addGrams(grams: Set<number>, seed: number, text: string): void {
  for (let start = 0; start + length <= text.length; start += 1) {
    let hash = seed;
    for (let index = start; index < start + length; index += 1) hash = Math.imul(hash ^ text.charCodeAt(index), prime);
    grams.add(hash | 0);
  }
}

/** Grams of two data sources differ, so that a search reads no postings of other organizations. */
function seedOf(dataSourceId: string): number {
  return Number.parseInt(dataSourceId.slice(-8), 16) | 0;
}
