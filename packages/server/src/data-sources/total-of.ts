import { hash } from 'node:crypto';
import type { CellFilter } from '@runward/contract';
import type { Caches } from '../caches.ts';
import type { Em } from '../database/database.ts';
import { countRows } from './queries/count-rows.ts';
import type { RowSelection } from './queries/row-selection.ts';

/** The request of a caller, and the revision of the data source that was read before. */
interface Asked {
  readonly revision: number;
  readonly search: string;
  readonly filters: readonly CellFilter[];
}

/**
 * Totals by request and revision. Every change of rows and columns increases the revision, so no entry becomes stale.
 */
const rowTotals = (caches: Caches) => caches.create<number>('rowTotals', { sizeOf: () => 200 });

/**
 * The exact number of rows that match a selection. It is counted once per process while the rows do not change, unless
 * it depends on links.
 */
export async function totalOf(em: Em, selection: RowSelection, asked: Asked): Promise<number> {
  if (selection.conditions.some(({ isOnLinks }) => isOnLinks)) return countRows(em, selection);
  return em.shared(rowTotals).getOrMake(keyOf(selection, asked), async () => countRows(em, selection));
}

/** The key is a hash, because filters can be long. */
function keyOf(
  { organizationId, dataSourceId, activeOnly }: RowSelection,
  { revision, search, filters }: Asked,
): string {
  const parts = [organizationId, dataSourceId, revision, activeOnly, search, filters];
  return hash('sha256', JSON.stringify(parts), 'base64');
}
