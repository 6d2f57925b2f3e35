import { createHash } from 'node:crypto';
import type { CellFilter } from '@runward/contract';
import { LRUCache } from 'lru-cache';
import type { Em } from '../database/database.ts';
import { countRows } from './queries/count-rows.ts';
import type { RowSelection } from './queries/row-selection.ts';

/** What a caller asks for, and the revision of the data source that was read before. */
interface Asked {
  readonly revision: number;
  readonly search: string;
  readonly filters: readonly CellFilter[];
}

/**
 * Totals of all organizations by what was asked for, with the revision. Every change of rows and columns increases the revision, so entries
 * never become stale.
 */
const totals = new LRUCache<string, number>({ max: 10_000 });

/** How many rows match a selection; exact. Counted once per process while the rows do not change, unless it depends on links. */
export async function totalOf(em: Em, selection: RowSelection, asked: Asked): Promise<number> {
  if (selection.conditions.some(({ isOnLinks }) => isOnLinks)) return countRows(em, selection);
  const key = keyOf(selection, asked);
  const known = totals.get(key);
  if (known !== undefined) return known;
  const total = await countRows(em, selection);
  totals.set(key, total);
  return total;
}

/** A hash, because filters can be long. */
function keyOf(
  { organizationId, dataSourceId, activeOnly }: RowSelection,
  { revision, search, filters }: Asked,
): string {
  const parts = [organizationId, dataSourceId, revision, activeOnly, search, filters];
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64');
}
