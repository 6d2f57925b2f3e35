import type { Em } from '../../database/database.ts';
import type { DataSource } from '../entities/data-source.ts';

/** The RELATION columns of other data sources that link to this one, with the names of their data sources. */
export async function columnsLinkingTo(
  em: Em,
  { organizationId, id }: Pick<DataSource, 'organizationId' | 'id'>,
): Promise<{ name: string; source: string }[]> {
  return em
    .getKysely()
    .selectFrom('data_source_columns as relation')
    .innerJoin('data_sources as source', (join) =>
      join
        .onRef('source.organization_id', '=', 'relation.organization_id')
        .onRef('source.id', '=', 'relation.data_source_id'),
    )
    .where('relation.organization_id', '=', organizationId)
    .where('relation.target_data_source_id', '=', id)
    .where('relation.data_source_id', '!=', id)
    .select(['relation.name', 'source.name as source'])
    .orderBy('relation.id')
    .execute();
}
