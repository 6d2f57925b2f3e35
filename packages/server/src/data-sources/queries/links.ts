import { sql } from 'kysely';
import type { Em } from '../../database/database.ts';
import { anyOf } from '../../database/expressions.ts';

/** A link between two rows. */
export interface Link {
  readonly columnId: string;
  readonly fromRowId: string;
  readonly toRowId: string;
}

/** The links from and to rows. */
export async function linksOf(em: Em, organizationId: string, rowIds: readonly string[]): Promise<Link[]> {
  const links = (end: 'from_row_id' | 'to_row_id') =>
    em
      .getKysely()
      .selectFrom('data_source_links')
      .where('organization_id', '=', organizationId)
      .where(end, '=', anyOf(rowIds))
      .select(['column_id as columnId', 'from_row_id as fromRowId', 'to_row_id as toRowId']);
  return links('from_row_id').union(links('to_row_id')).execute();
}

/** The ids of rows with several links in a column, at most `most`. */
export async function rowsWithSeveralLinks(
  em: Em,
  organizationId: string,
  columnId: string,
  most: number,
): Promise<string[]> {
  const rows = await em
    .getKysely()
    .selectFrom('data_source_links')
    .where('organization_id', '=', organizationId)
    .where('column_id', '=', columnId)
    .select('from_row_id as id')
    .groupBy('from_row_id')
    .having(({ fn }) => fn.countAll(), '>', 1)
    .limit(most)
    .execute();
  return rows.map(({ id }) => id);
}

/** A link from the side of one of its rows, with a description of the other row. */
export interface RelationRow {
  readonly direction: 'OUT' | 'IN';
  readonly columnId: string;
  readonly rowId: string;
}

/** The place of a link in a row's list. */
export type RelationPlace = readonly [direction: string, columnId: string, rowId: string];

/** Up to `limit` links of a row after a place, incoming links first, and the number of all of them. */
export async function listRelations(
  em: Em,
  organizationId: string,
  rowId: string,
  { limit, after }: { limit: number; after: RelationPlace | null },
): Promise<{ rows: RelationRow[]; total: number }> {
  const own = (end: 'from_row_id' | 'to_row_id') =>
    em.getKysely().selectFrom('data_source_links').where('organization_id', '=', organizationId).where(end, '=', rowId);
  const relations = em.getKysely().selectFrom(
    own('from_row_id')
      .select([sql<'OUT' | 'IN'>`'OUT'`.as('direction'), 'column_id as columnId', 'to_row_id as rowId'])
      .unionAll(
        own('to_row_id').select([
          sql<'OUT' | 'IN'>`'IN'`.as('direction'),
          'column_id as columnId',
          'from_row_id as rowId',
        ]),
      )
      .as('relation'),
  );
  const { total } = await relations.select(({ fn }) => fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
  const rest =
    after === null
      ? relations
      : relations.where(
          sql<boolean>`(direction, "columnId", "rowId") > (${after[0]}, ${after[1]}::uuid, ${after[2]}::uuid)`,
        );
  const rows = await rest
    .selectAll()
    .orderBy('direction')
    .orderBy('columnId')
    .orderBy('rowId')
    .limit(limit + 1)
    .execute();
  return { rows, total };
}
