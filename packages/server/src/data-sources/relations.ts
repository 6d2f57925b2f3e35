import type { Parts } from '@runward/contract';
import type { Handlers } from '../access/handler.ts';
import type { RequestContext } from '../access/request-context.ts';
import { badRequest, notFound } from '../api-error.ts';
import { changeOf } from './change-rows.ts';
import { DataSourceColumn } from './entities/data-source-column.ts';
import { DataSourceLink } from './entities/data-source-link.ts';
import { lockSource, tryLockSource } from './find-source.ts';
import { findRows } from './queries/find-rows.ts';
import type { Link } from './queries/links.ts';
import { insertChanges } from './queries/write-rows.ts';

/** Links between rows (spec: Data sources). */
export const dataSourceRelations: Handlers<Parts['dataSourceRelations']> = {
  link: async ({ params: { id }, body: link, ...context }) => {
    const { em, actor } = context;
    const { organizationId } = actor;
    const { multiple } = await lockBoth(context, id, link);
    const others = await em.find(DataSourceLink, {
      organizationId,
      fromRowId: link.fromRowId,
      columnId: link.columnId,
    });
    if (others.some(({ toRowId }) => toRowId === link.toRowId)) return link;
    if (others.length > 0 && !multiple) {
      throw badRequest([
        'fromRowId: the row has a link in this column already, and the column allows only one; remove it first',
      ]);
    }
    em.create(DataSourceLink, { organizationId, ...link });
    await em.flush();
    await record(context, 'LINKED', link);
    return link;
  },

  unlink: async ({ params: { id }, body: link, ...context }) => {
    const { em, actor } = context;
    await lockBoth(context, id, link);
    const removed = await em.nativeDelete(DataSourceLink, { organizationId: actor.organizationId, ...link });
    if (removed === 0) throw notFound('Link');
    await record(context, 'UNLINKED', link);
  },
};

/**
 * Locks the data sources at both ends of a link. Throws a 404 for the data source, or a 400 if the column is not one of
 * its RELATION columns, or if a row is not in its data source.
 */
async function lockBoth(
  context: RequestContext,
  id: string,
  { columnId, fromRowId, toRowId }: Link,
): Promise<{ multiple: boolean }> {
  const { em, actor } = context;
  const { organizationId } = actor;
  // Read without the identity map, because the column is read again after the locks.
  const found = await em.findOne(
    DataSourceColumn,
    { organizationId, dataSourceId: id, id: columnId },
    { disableIdentityMap: true },
  );
  const target = found?.targetDataSourceId ?? null;
  for (const each of [...new Set([id, target ?? id])].toSorted()) await tryLockSource(context, each, 'no key update');
  const { columns } = await lockSource(context, id);
  const column = columns.find((each) => each.id === columnId);
  if (target === null || column?.targetDataSourceId !== target) {
    throw badRequest(['columnId: no RELATION column of this data source; see GET /data-sources/:id']);
  }

  const [from] = await findRows(em, organizationId, id, [fromRowId]);
  const [to] = await findRows(em, organizationId, target, [toRowId]);
  const problems = [
    ...(from ? [] : ['fromRowId: no row of this data source; see GET /data-sources/:id/rows']),
    ...(to
      ? []
      : [
          `toRowId: no row of the data source ${target}, which the column links to; see GET /data-sources/${target}/rows`,
        ]),
  ];
  if (problems.length > 0) throw badRequest(problems);
  return { multiple: column.settings.multiple ?? false };
}

/** Both rows have the link in their timelines. */
async function record(context: RequestContext, type: 'LINKED' | 'UNLINKED', link: Link): Promise<void> {
  const { columnId, fromRowId, toRowId } = link;
  const changeTo = (rowId: string) =>
    type === 'LINKED' ? { columnId, before: null, after: rowId } : { columnId, before: rowId, after: null };
  await insertChanges(context.em, [
    changeOf(context, fromRowId, type, [changeTo(toRowId)]),
    ...(fromRowId === toRowId ? [] : [changeOf(context, toRowId, type, [changeTo(fromRowId)])]),
  ]);
}
