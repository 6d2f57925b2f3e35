import { sql, type RawBuilder } from 'kysely';
import type { Em } from '../../database/database.ts';
import { readWithin, type Fitting, type PageSize } from '../../database/read-within.ts';
import { keyName } from '../entities/data-source-row.ts';
import { storedRow, type RowRead } from './find-rows.ts';
import { allOf, type RowSelection } from './row-selection.ts';
import type { StoredRow } from './write-rows.ts';

/** The order of a list: by the column with this slot, with empty cells last, or newest first if undefined. */
export type RowOrder = { readonly slot: number; readonly descending: boolean } | undefined;

/** The last row of a page: its id, and its sort key if a column orders the list. The key is empty for an empty cell. */
export interface RowPlace {
  readonly id: string;
  readonly key: string;
}

/** A row with its place in a list. */
export interface PlacedRow extends StoredRow {
  readonly key: string;
}

/**
 * A page of the rows after a place. `total` is the number of matching rows. If few rows match, they are found first and
 * then sorted. Otherwise rows are read in order until enough of them match.
 */
export async function pageOfRows(
  em: Em,
  selection: RowSelection,
  order: RowOrder,
  { limit, bytes, after, total }: PageSize & { readonly after: RowPlace | null; readonly total: number },
): Promise<Fitting<PlacedRow>> {
  if (total === 0) return { rows: [], limit };
  const areFew = selection.conditions.length > 0 && total * total < limit * selection.count;
  const part = (key: RawBuilder<unknown>, where: RawBuilder<unknown>, by: RawBuilder<unknown>) => {
    const matching = (use: 'indexed' | 'plain') => sql`
      select item.id, item.active, item.cells, item.created_at, item.updated_at, ${key} as key
      from data_source_rows item where ${allOf(selection, use)}`;
    return areFew
      ? sql<Read>`with item as materialized (${matching('indexed')}) select * from item where ${where} order by ${by} limit ${limit + 1}`
      : sql<Read>`${matching('plain')} and ${where} order by ${by} limit ${limit + 1}`;
  };
  const read = async (query: RawBuilder<Read>) => {
    const page = await readWithin(em, query, { limit, bytes });
    return { ...page, rows: page.rows.map((row) => Object.assign(storedRow(row), { key: row.key ?? '' })) };
  };

  if (order === undefined) {
    const where = after === null ? sql`true` : sql`item.id < ${after.id}`;
    return read(part(sql`null`, where, sql`item.id desc`));
  }
  const column = sql.ref(`item.${keyName(order.slot)}`);
  const [key, direction, beyond] = [
    areFew ? sql`item.key` : column,
    ...(order.descending ? [sql`desc`, sql`<`] : [sql`asc`, sql`>`]),
  ];
  const isAmongEmpty = after !== null && after.key === '';
  const rest = isAmongEmpty ? sql`item.id ${beyond} ${after.id}` : sql`true`;
  const empty = part(column, sql`${key} is null and ${rest}`, sql`item.id ${direction}`);
  if (isAmongEmpty) return read(empty);
  const later = after === null ? sql`true` : sql`(${key}, item.id) ${beyond} (${after.key}, ${after.id}::uuid)`;
  const by = sql`${key} ${direction}, item.id ${direction}`;
  const filled = part(column, sql`${key} is not null and ${later}`, by);
  // PostgreSQL looks for rows with empty cells only if the other rows do not fill the page.
  return read(sql`(${filled}) union all (${empty}) limit ${limit + 1}`);
}

interface Read extends RowRead {
  readonly key: string | null;
}
