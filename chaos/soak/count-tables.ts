import { query } from '../history/collect.ts';

/** How large a table is. */
export interface TableSize {
  readonly table: string;
  readonly rows: number;
  /** With its indexes and its large values. */
  readonly bytes: number;
}

/** Counts the rows of every table except the list of migrations. Exact, so that small tables can be judged. */
export async function countTables(databaseUrl: string): Promise<TableSize[]> {
  const tables = await query<{ table: string; name: string }>(
    databaseUrl,
    `select c.relname as table, c.oid::regclass::text as name from pg_class c
      where c.relkind in ('r', 'p') and not c.relispartition and c.relnamespace = current_schema()::regnamespace
        and c.relname not like '%migrations' order by 1`,
  );
  const counts = tables.map(
    ({ table, name }) =>
      `select '${table}' as table, count(*)::float8 as rows, pg_total_relation_size('${name}')::float8 as bytes from ${name}`,
  );
  return query<TableSize>(databaseUrl, counts.join(' union all '));
}
