import { sql } from 'kysely';
import type { Em } from '../../database/database.ts';
import { anyOf } from '../../database/expressions.ts';
import { instant } from '../../database/instant.ts';
import { readWithin, type Fitting, type PageSize } from '../../database/read-within.ts';
import type { Cells } from '../parse-cells.ts';
import type { StoredRow } from './write-rows.ts';

/** The columns of a row that callers see (alias `item`). */
const rowColumns = ['item.id', 'item.active', 'item.cells', 'item.created_at', 'item.updated_at'] as const;

/** A row, as it is read. */
export interface RowRead {
  readonly id: string;
  readonly active: boolean;
  readonly cells: Cells;
  readonly created_at: string;
  readonly updated_at: string;
}

/** A row with its instants as ISO 8601 text. */
export function storedRow({ id, active, cells, created_at, updated_at }: RowRead): StoredRow {
  return { id, active, cells, createdAt: instant(created_at), updatedAt: instant(updated_at) };
}

/** A row without its cells, but with their size in bytes as JSON. */
export type RowOutline = Pick<StoredRow, 'id' | 'active'> & { readonly bytes: number };

/** The outlines of the rows of a data source that have these ids, in no particular order. */
export async function outlineRows(
  em: Em,
  organizationId: string,
  dataSourceId: string,
  ids: readonly string[],
): Promise<RowOutline[]> {
  return rowsOf(em, organizationId, dataSourceId)
    .where('item.id', '=', anyOf(ids))
    .select(['item.id', 'item.active', sql<number>`octet_length(item.cells::text)`.as('bytes')])
    .execute();
}

/** The rows of a data source that have these ids, in no particular order. */
export async function findRows(
  em: Em,
  organizationId: string,
  dataSourceId: string,
  ids: readonly string[],
): Promise<StoredRow[]> {
  const rows = await rowsOf(em, organizationId, dataSourceId)
    .where('item.id', '=', anyOf(ids))
    .select(rowColumns)
    .execute();
  return rows.map(storedRow);
}

/** A batch of the rows of a data source after an id, ordered by id. */
export async function rowsAfter(
  em: Em,
  organizationId: string,
  dataSourceId: string,
  after: string | null,
  size: PageSize,
): Promise<Fitting<StoredRow>> {
  const all = rowsOf(em, organizationId, dataSourceId);
  const rest = after === null ? all : all.where('item.id', '>', after);
  const query = rest
    .select(rowColumns)
    .orderBy('item.id')
    .limit(size.limit + 1);
  const { rows, limit } = await readWithin(em, query, size);
  return { rows: rows.map(storedRow), limit };
}

function rowsOf(em: Em, organizationId: string, dataSourceId: string) {
  return em
    .getKysely()
    .selectFrom('data_source_rows as item')
    .where('item.organization_id', '=', organizationId)
    .where('item.data_source_id', '=', dataSourceId);
}
