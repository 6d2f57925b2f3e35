import type { Contract, Parts, Response } from '@runward/contract';
import type { Handlers } from '../access/handler.ts';
import type { RequestContext } from '../access/request-context.ts';
import { badRequest, found } from '../api-error.ts';
import { decodeCursor, pageOf } from '../paging.ts';
import { changeRows, createRows, removeRows, rowNotFound } from './change-rows.ts';
import { findSource, type SourceWithColumns } from './find-source.ts';
import { describeRows } from './queries/describe-rows.ts';
import { conditionsOf, matches } from './queries/filter-conditions.ts';
import { findRows } from './queries/find-rows.ts';
import { listRelations } from './queries/links.ts';
import { listRowChanges, type RowChange } from './queries/list-row-changes.ts';
import { pageOfRows, type RowOrder, type RowPlace } from './queries/list-rows.ts';
import type { StoredRow } from './queries/write-rows.ts';
import { totalOf } from './total-of.ts';

type Row = Response<Contract['dataSources.rows']['get']>;

/** Rows of a data source (spec: Data sources). */
export const dataSourceRows: Handlers<Parts['dataSourceRows']> = {
  list: async ({ params: { id }, query, ...context }) => {
    const { limit, cursor, search = '', activeOnly, sort, filters = [] } = query;
    const { em } = context;
    const { source, columns } = await findSource(context, id);
    const { organizationId, rowCount, activeRowCount, revision } = source;
    const order = orderOf({ source, columns }, sort);
    const filtered = { organizationId, dataSourceId: id, columns };
    const conditions = [...(search === '' ? [] : [matches(id, search)]), ...conditionsOf(filtered, filters)];
    const selection = { ...filtered, activeOnly, count: activeOnly ? activeRowCount : rowCount, conditions };
    const after = cursor === undefined ? null : placeIn(cursor, order);
    // While nothing changes, all pages have the total of the first page.
    const isKnown = after?.revision === revision && !conditions.some(({ isOnLinks }) => isOnLinks);
    const total = isKnown ? after.total : await totalOf(em, selection, { revision, search, filters });
    const size = { limit, bytes: context.ports.limits.pageBytes };
    const page = await pageOfRows(em, selection, order, { ...size, after, total });
    return pageOf({ ...page, total }, presentRow, ({ id, key }) => [...(order ? [key, id] : [id]), total, revision]);
  },

  get: async ({ params: { id, rowId }, ...context }) => presentRow(await findRow(context, id, rowId)),

  create: async ({ params: { id }, body, ...context }) => {
    const [row] = await createRows(context, id, [body], () => '');
    return presentRow(found(row, 'Row'));
  },

  bulkCreate: async ({ params: { id }, body, ...context }) => {
    const rows = await createRows(context, id, body.rows, (index) => `rows[${index}].`);
    return { created: rows.length, rowIds: rows.map((row) => row.id) };
  },

  update: async ({ params: { id, rowId }, body, ...context }) => {
    await changeRows(context, id, [rowId], body, rowNotFound);
    const [row] = await findRows(context.em, context.actor.organizationId, id, [rowId]);
    return presentRow(found(row, 'Row'));
  },

  bulkUpdate: async ({ params: { id }, body: { rowIds, ...changes }, ...context }) => {
    await changeRows(context, id, rowIds, changes);
    return { updated: rowIds.length };
  },

  delete: async ({ params: { id, rowId }, ...context }) => {
    await removeRows(context, id, [rowId], rowNotFound);
  },

  bulkDelete: async ({ params: { id }, body: { rowIds }, ...context }) => {
    await removeRows(context, id, rowIds);
    return { deleted: rowIds.length };
  },

  timeline: async ({ params: { id, rowId }, query, ...context }) => {
    const { em, actor, ports } = context;
    await findRow(context, id, rowId);
    const before = query.cursor === undefined ? undefined : decodeCursor(query.cursor, 'id')[0];
    const size = { limit: query.limit, bytes: ports.limits.pageBytes };
    const row = { organizationId: actor.organizationId, rowId };
    return pageOf(await listRowChanges(em, row, { ...size, before }), presentChange, ({ id }) => [id]);
  },

  relations: async ({ params: { id, rowId }, query: { limit, cursor }, ...context }) => {
    const { em, actor } = context;
    await findRow(context, id, rowId);
    const after = cursor === undefined ? null : decodeCursor(cursor, 'text', 'id', 'id');
    const { rows, total } = await listRelations(em, actor.organizationId, rowId, { limit, after });
    const others = await describeRows(
      context,
      rows.map((row) => row.rowId),
    );
    return pageOf(
      { rows, limit, total },
      ({ direction, columnId, rowId: other }) => ({ columnId, direction, row: found(others.get(other), 'Row') }),
      ({ direction, columnId, rowId: other }) => [direction, columnId, other],
    );
  },
};

function orderOf({ columns }: SourceWithColumns, sort: string | undefined): RowOrder {
  if (sort === undefined) return undefined;
  const descending = sort.startsWith('-');
  const column = columns.find(({ id }) => id === (descending ? sort.slice(1) : sort));
  if (!column) throw badRequest(['sort: no column of this data source; see GET /data-sources/:id']);
  if (column.type === 'RELATION') throw badRequest(['sort: must not be a RELATION column; choose another column']);
  return { slot: column.slot, descending };
}

/** The place where a page begins, with the total of the list and the data source's revision when it was counted. */
function placeIn(cursor: string, order: RowOrder): RowPlace & { readonly total: number; readonly revision: number } {
  if (order === undefined) {
    const [id, total, revision] = decodeCursor(cursor, 'id', 'count', 'count');
    return { id, key: '', total, revision };
  }
  const [key, id, total, revision] = decodeCursor(cursor, 'text', 'id', 'count', 'count');
  return { key, id, total, revision };
}

/** A row of a data source. Throws a 404. */
async function findRow(context: RequestContext, dataSourceId: string, rowId: string): Promise<StoredRow> {
  const { em, actor } = context;
  await findSource(context, dataSourceId);
  const [row] = await findRows(em, actor.organizationId, dataSourceId, [rowId]);
  return found(row, 'Row');
}

function presentRow({ id, active, cells, createdAt, updatedAt }: StoredRow): Row {
  return { id, active, cells: { ...cells }, createdAt, updatedAt };
}

function presentChange(change: RowChange): Response<Contract['dataSources.rows']['timeline']>['data'][number] {
  const { id, at, type, actorType, actorUserId, actorApiKeyId, active, changes } = change;
  const actor = { type: actorType, userId: actorUserId, apiKeyId: actorApiKeyId ?? null };
  return { id, at, actor, type, active: active ?? null, changes };
}
