import type { Contract, Query, Response } from '@runward/contract';
import type { LookupDefinition } from '@runward/engine';
import type { RequestContext } from '../access/request-context.ts';
import { found } from '../api-error.ts';
import { decodeCursor, pageOf } from '../paging.ts';
import { findSource } from './find-source.ts';
import { contains, matches } from './queries/filter-conditions.ts';
import { pageOfRows, type PlacedRow } from './queries/list-rows.ts';
import { textOfCell } from './row-label.ts';
import { totalOf } from './total-of.ts';

type Lookup = Contract['dataSources']['lookup'];

/**
 * A page of the active rows that the look-up of a field offers, by label. `search` looks at all cells or, for callers
 * who may see only labels, at these. Throws a 404 if its column does not exist.
 */
export async function lookUpRows(
  context: RequestContext,
  { dataSourceId, labelColumnId }: Pick<LookupDefinition, 'dataSourceId' | 'labelColumnId'>,
  { limit, cursor, search = '' }: Pick<Query<Lookup>, 'limit' | 'cursor' | 'search'>,
  searched: 'cells' | 'labels' = 'cells',
): Promise<Response<Lookup>> {
  const { source, columns } = await findSource(context, dataSourceId);
  const column = found(
    columns.find((each) => each.id === labelColumnId),
    'Column',
  );
  const [key, last] = cursor === undefined ? [] : decodeCursor(cursor, 'text', 'id');
  const after = key === undefined || last === undefined ? null : { key, id: last };
  const { organizationId, activeRowCount: count, revision } = source;
  const sought = () => {
    if (search === '') return { search, filters: [], conditions: [] };
    if (searched === 'cells') return { search, filters: [], conditions: [matches(dataSourceId, search)] };
    const filters = [{ columnId: labelColumnId, operator: 'CONTAINS', value: search } as const];
    return { search: '', filters, conditions: [contains({ organizationId, dataSourceId, columns }, column, search)] };
  };
  const { conditions, ...asked } = sought();
  const selection = { organizationId, dataSourceId, activeOnly: true, count, conditions };
  const total = await totalOf(context.em, selection, { revision, ...asked });
  const order = { slot: column.slot, descending: false };
  const size = { limit, bytes: context.ports.limits.pageBytes };
  const page = await pageOfRows(context.em, selection, order, { ...size, after, total });
  const present = (row: PlacedRow) => {
    return { id: row.id, label: textOfCell(column, row.cells[labelColumnId]), cells: { ...row.cells } };
  };
  return pageOf({ ...page, total }, present, (row) => [row.key, row.id]);
}
