import type { Em } from '../../database/database.ts';
import { countAs } from '../../database/expressions.ts';
import { instant } from '../../database/instant.ts';
import { readWithin, type PageSize } from '../../database/read-within.ts';
import type { DataSourceRowChange } from '../entities/data-source-row-change.ts';

/** A change of a row, with its time as ISO 8601 text. */
export type RowChange = Omit<DataSourceRowChange, 'organizationId' | 'rowId' | 'at'> & { readonly at: string };

/** A page of the changes of a row before an id, newest first, and the number of all of them. */
export async function listRowChanges(
  em: Em,
  { organizationId, rowId }: Pick<DataSourceRowChange, 'organizationId' | 'rowId'>,
  { before, ...size }: PageSize & { readonly before: string | undefined },
): Promise<{ rows: RowChange[]; limit: number; total: number }> {
  const changes = em
    .getKysely()
    .selectFrom('data_source_row_changes')
    .where('organization_id', '=', organizationId)
    .where('row_id', '=', rowId);
  const { total } = await changes.select(countAs('total')).executeTakeFirstOrThrow();
  const rest = before === undefined ? changes : changes.where('id', '<', before);
  const query = rest
    .select([
      'id',
      'type',
      'at',
      'actor_type as actorType',
      'actor_user_id as actorUserId',
      'actor_api_key_id as actorApiKeyId',
      'active',
      'changes',
    ])
    .orderBy('id', 'desc')
    .limit(size.limit + 1);
  const { rows, limit } = await readWithin(em, query, size);
  return { rows: rows.map((row) => Object.assign(row, { at: instant(row.at) })), limit, total };
}
