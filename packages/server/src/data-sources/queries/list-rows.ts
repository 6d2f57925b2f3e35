import { sql, type RawBuilder } from 'kysely';
import type { Em } from '../../database/database.ts';
import { keyName } from '../entities/data-source-row.ts';
import { storedRow, type RowRead } from './find-rows.ts';
import { allOf, type RowSelection } from './row-selection.ts';
import type { StoredRow } from './write-rows.ts';

/** The order of a list: by the column with this slot, empty cells last; or newest first if undefined. */
export type RowOrder = { readonly slot: number; readonly descending: boolean } | undefined;

/** The last row of a page: its id, and its sort key if the list is ordered by a column, which is empty for an empty cell. */
export interface RowPlace {
  readonly id: string;
  readonly key: string;
}

/** A row in its place. */
export interface PlacedRow extends StoredRow {
  readonly key: string;
}

/**
 * Up to `limit` rows after a place. `total` is how many match: a few are found first and then sorted; of many, rows are read in their order
 * until enough of them match.
 */
export async function pageOfRows(
  em: Em,
  selection: RowSelection,
  order: RowOrder,
  { limit, after, total }: { limit: number; after: RowPlace | null; total: number },
): Promise<PlacedRow[]> {
  if (total === 0) return [];
  const areFew = selection.conditions.length > 0 && total * total < limit * selection.count;
  const read = async (key: RawBuilder<unknown>, where: RawBuilder<unknown>, by: RawBuilder<unknown>, most: number) => {
    const matching = (use: 'indexed' | 'plain') => sql`
      select item.id, item.active, item.cells, item.created_at, item.updated_at, ${key} as key
      from data_source_rows item where ${allOf(selection, use)}`;
    const statement = areFew
      ? sql<Read>`with item as materialized (${matching('indexed')}) select * from item where ${where} order by ${by} limit ${most}`
      : sql<Read>`${matching('plain')} and ${where} order by ${by} limit ${most}`;
    const { rows } = await statement.execute(em.getKysely());
    return rows.map((row) => Object.assign(storedRow(row), { key: row.key ?? '' }));
  };

  if (order === undefined) {
    const where = after === null ? sql`true` : sql`item.id < ${after.id}`;
    return read(sql`null`, where, sql`item.id desc`, limit);
  }
  const column = sql.ref(`item.${keyName(order.slot)}`);
  const [key, direction, beyond] = [
    areFew ? sql`item.key` : column,
    ...(order.descending ? [sql`desc`, sql`<`] : [sql`asc`, sql`>`]),
  ];
  const filled: PlacedRow[] = [];
  if (after === null || after.key !== '') {
    const rest = after === null ? sql`true` : sql`(${key}, item.id) ${beyond} (${after.key}, ${after.id}::uuid)`;
    const by = sql`${key} ${direction}, item.id ${direction}`;
    filled.push(...(await read(column, sql`${key} is not null and ${rest}`, by, limit)));
    if (filled.length === limit) return filled;
  }
  const rest = after === null || after.key !== '' ? sql`true` : sql`item.id ${beyond} ${after.id}`;
  const empty = await read(column, sql`${key} is null and ${rest}`, sql`item.id ${direction}`, limit - filled.length);
  return [...filled, ...empty];
}

interface Read extends RowRead {
  readonly key: string | null;
}
