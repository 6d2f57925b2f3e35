import { z } from 'zod';
import { component } from '../component.ts';
import type { Group } from '../endpoint.ts';
import { idList } from '../values.ts';
import { column, columnDefinition, maximumColumns } from './column-types.ts';

/** Changing a column can mean rewriting every row. */
const timeBudgetMs = 300_000;

/** Columns of a data source (spec: Data sources). */
export const dataSourceColumns = {
  create: {
    method: 'POST',
    path: '/data-sources/:id/columns',
    serial: true,
    access: 'data-sources:write',
    summary: 'Add a column at the end',
    description: `A data source has at most ${maximumColumns} columns. Returns 400 if the name is taken.`,
    body: columnDefinition.meta({ id: 'CreateColumn', description: 'A new column.' }),
    status: 201,
    response: column,
  },
  update: {
    method: 'PATCH',
    path: '/data-sources/:id/columns/:columnId',
    large: true,
    access: 'data-sources:write',
    summary: 'Rename a column, or change its type or configuration',
    description:
      'Properties that are left out do not change. A changed type converts every cell; if some do not fit, nothing changes, and the 400 ' +
      'names the first 20 of them. The same holds for options of a STATUS column that are removed while in use. A column cannot become ' +
      'a RELATION column while it has cells, nor another type or target while it has links. Returns 400 if the column would no longer ' +
      'fit a field that a draft, a published version or the version of an active run fills from it.',
    body: columnDefinition.partial().meta({ id: 'UpdateColumn', description: 'Changes to a column.' }),
    timeBudgetMs,
    errors: ['in_use'],
    response: column,
  },
  delete: {
    method: 'DELETE',
    path: '/data-sources/:id/columns/:columnId',
    large: true,
    access: 'data-sources:write',
    summary: 'Delete a column with its cells and links',
    description:
      'Returns 400 if a draft, a published version of a template or the version of an active run uses the column.',
    timeBudgetMs,
    errors: ['in_use'],
  },
  reorder: {
    method: 'PATCH',
    path: '/data-sources/:id/columns/reorder',
    serial: true,
    access: 'data-sources:write',
    summary: 'Reorder the columns',
    body: component('ReorderColumns', 'The order that the columns get.', {
      columnIds: idList(maximumColumns).describe('Every column of the data source once, in the new order.'),
    }),
    response: component('Columns', 'The columns of a data source.', {
      data: z.array(column).describe('The columns in their new order.'),
    }),
  },
} as const satisfies Group;
