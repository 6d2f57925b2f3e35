import type { EntityName, FilterQuery, FindOptions } from '@mikro-orm/core';
import type { Page } from '@runward/contract';
import { decodeCursor, pageOf, type Paging } from '../paging.ts';
import type { Em } from './database.ts';

/** A page of the rows of one table, newest first. Ids are the cursors, so added or removed rows do not shift pages. */
export async function newestFirst<Row extends { readonly id: string }>(
  em: Em,
  entity: EntityName<Row>,
  where: FilterQuery<Row>,
  { limit, cursor }: Paging,
): Promise<Page<Row>> {
  const before = cursor === undefined ? {} : { id: { $lt: decodeCursor(cursor, 'id')[0] } };
  const total = await em.count(entity, where);
  const rest = { $and: [where, before] } as FilterQuery<Row>;
  const orderBy = { id: 'desc' } as NonNullable<FindOptions<Row>['orderBy']>;
  const rows = await em.find(entity, rest, { orderBy, limit: limit + 1 });
  return pageOf(
    { rows, limit, total },
    (row) => row,
    ({ id }) => [id],
  );
}
