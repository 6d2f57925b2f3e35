import { sql } from 'kysely';
import type { RequestContext } from '../../access/request-context.ts';
import { anyOf } from '../../database/expressions.ts';
import { DataSourceColumn } from '../entities/data-source-column.ts';
import type { Cells } from '../parse-cells.ts';
import { labelOf } from '../row-label.ts';

/** A row, as other records refer to it. */
export interface DescribedRow {
  readonly id: string;
  readonly dataSourceId: string;
  /** Its first cell that is not empty. */
  readonly label: string;
}

/** Reads only the cell that becomes the label, because rows can be large. */
const firstCell = sql<Cells>`coalesce((
  select jsonb_build_object(id, item.cells -> id::text) from data_source_columns
  where organization_id = item.organization_id and data_source_id = item.data_source_id and item.cells ? id::text
  order by position limit 1), '{}')`;

/** Rows of any data source of the organization by id. */
export async function describeRows(
  { em, actor: { organizationId } }: Pick<RequestContext, 'em' | 'actor'>,
  ids: readonly string[],
): Promise<ReadonlyMap<string, DescribedRow>> {
  const rows = await em
    .getKysely()
    .selectFrom('data_source_rows as item')
    .where('item.organization_id', '=', organizationId)
    .where('item.id', '=', anyOf(ids))
    .select(['item.id', 'item.data_source_id as dataSourceId', firstCell.as('cells')])
    .execute();
  if (rows.length === 0) return new Map();
  const dataSourceId = { $in: [...new Set(rows.map((row) => row.dataSourceId))] };
  const columns = await em.find(DataSourceColumn, { organizationId, dataSourceId }, { orderBy: { position: 'asc' } });
  const bySource = Map.groupBy(columns, (column) => column.dataSourceId);
  return new Map(
    rows.map(({ cells, ...row }) => [
      row.id,
      { ...row, label: labelOf(bySource.get(row.dataSourceId) ?? [], { id: row.id, cells }) },
    ]),
  );
}
