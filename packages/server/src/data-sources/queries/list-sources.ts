import { sql } from 'kysely';
import type { Em } from '../../database/database.ts';
import { countAs } from '../../database/expressions.ts';
import { readWithin, type PageSize } from '../../database/read-within.ts';
import type { DataSourceColumn } from '../entities/data-source-column.ts';
import type { DataSource } from '../entities/data-source.ts';

/** A data source with those properties of its columns that callers see, by position. */
export interface ListedSource {
  readonly source: Pick<DataSource, 'id' | 'name' | 'description' | 'rowCount' | 'createdAt' | 'updatedAt'>;
  readonly columns: readonly Pick<
    DataSourceColumn,
    'id' | 'name' | 'type' | 'position' | 'settings' | 'targetDataSourceId'
  >[];
}

/** A page of the data sources before an id, newest first, and the number of all of them. */
export async function listSources(
  em: Em,
  organizationId: string,
  { before, ...size }: PageSize & { readonly before: string | undefined },
): Promise<{ rows: ListedSource[]; limit: number; total: number }> {
  const all = em.getKysely().selectFrom('data_sources as source').where('source.organization_id', '=', organizationId);
  const { total } = await all.select(countAs('total')).executeTakeFirstOrThrow();
  const rest = before === undefined ? all : all.where('source.id', '<', before);
  const columns = sql<ListedSource['columns']>`(
    select coalesce(jsonb_agg(jsonb_build_object('id', id, 'name', name, 'type', type, 'position', position,
      'settings', settings, 'targetDataSourceId', target_data_source_id) order by position), '[]')
    from data_source_columns where organization_id = source.organization_id and data_source_id = source.id)`;
  const query = rest
    .select([
      'source.id',
      'source.name',
      'source.description',
      'source.row_count as rowCount',
      'source.created_at as createdAt',
      'source.updated_at as updatedAt',
      columns.as('columns'),
    ])
    .orderBy('source.id', 'desc')
    .limit(size.limit + 1);
  const { rows, limit } = await readWithin(em, query, size);
  return {
    rows: rows.map(({ columns, createdAt, updatedAt, ...source }) => ({
      source: { ...source, createdAt: new Date(createdAt), updatedAt: new Date(updatedAt) },
      columns,
    })),
    limit,
    total,
  };
}
