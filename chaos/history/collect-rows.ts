import type { RowSource } from '../workloads/row-writer.ts';
import { query } from './collect.ts';
import type { RowHistory, WrittenRow } from './row-history.ts';

/** Reads the final state of the rows of a data source. */
export async function collectRows(
  databaseUrl: string,
  { id, batchColumnId, versionColumnId }: RowSource,
): Promise<Pick<RowHistory, 'counts' | 'rows'>> {
  const [counts] = await query<RowHistory['counts']>(
    databaseUrl,
    'select row_count as "rowCount", active_row_count as "activeRowCount" from data_sources where id = $1',
    [id],
  );
  const rows = await query<WrittenRow>(
    databaseUrl,
    `select item.id, item.cells ->> $2 as batch, (item.cells ->> $3)::int as version, item.active,
      (select coalesce(json_agg(json_build_object('type', change.type, 'active', change.active,
          'before', cell -> 'before', 'after', cell -> 'after') order by change.id), '[]')
        from data_source_row_changes change
        left join lateral (select cell from jsonb_array_elements(change.changes) cell where cell ->> 'columnId' = $3) changed on true
        where change.organization_id = item.organization_id and change.row_id = item.id) as changes
    from data_source_rows item where item.data_source_id = $1`,
    [id, batchColumnId, versionColumnId],
  );
  return { counts: counts ?? { rowCount: 0, activeRowCount: 0 }, rows };
}
