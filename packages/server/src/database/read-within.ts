import { sql, type Expression } from 'kysely';
import type { Em } from './database.ts';

/** The maximum size of a page: the number of rows, and their bytes as JSON. */
export interface PageSize {
  readonly limit: number;
  readonly bytes: number;
}

/** Rows of a list. The page has the first `limit` of them. If there are more rows, more follow the page. */
export interface Fitting<Row> {
  readonly rows: Row[];
  readonly limit: number;
}

/**
 * Reads the rows that fit on a page, at least one, and the row after them. PostgreSQL counts the bytes, so that it
 * sends no more than needed. The query must be ordered, and limited to one row more than the page can have.
 */
export async function readWithin<Row>(
  em: Em,
  query: Expression<Row>,
  { limit, bytes }: PageSize,
): Promise<Fitting<Row>> {
  // With `offset 0`, PostgreSQL makes the JSON of a row once.
  const { rows } = await sql<Row & { readonly bytesUpTo: number }>`
    select * from (
      select page.*, sum(bytes) over (rows unbounded preceding) as "bytesUpTo", first_value(bytes) over () as "first"
      from (select page.*, octet_length(row_to_json(page)::text) as bytes from (${query}) page offset 0) page
    ) page where "bytesUpTo" - bytes <= greatest("first", ${bytes})
  `.execute(em.getKysely());
  const fitting = rows.findIndex(({ bytesUpTo }, index) => index > 0 && bytesUpTo > bytes);
  return { rows, limit: fitting === -1 ? limit : Math.min(limit, fitting) };
}
