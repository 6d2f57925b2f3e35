import { z } from 'zod';
import { actor } from '../actor.ts';
import { component } from '../component.ts';
import type { Group } from '../endpoint.ts';
import { page, pageQuery, paging } from '../page.ts';
import { flag, id, idList } from '../values.ts';
import { cells, cellValue } from './column-types.ts';
import { filtersQuery, searchQuery, sortQuery } from './filters.ts';

/** The most rows that one bulk request can name. */
export const maximumBulkRows = 5_000;

/** Writing thousands of rows, after waiting for writes of others to the same data source. */
const bulk = { maximumBytes: 10_000_000, timeBudgetMs: 60_000 } as const;

/** A row of a data source. */
const row = component('Row', 'A row of a data source.', {
  id: id.describe('Id of the row.'),
  active: z.boolean().describe('Whether the row can be chosen in forms.'),
  cells: cells.describe('Its values by column id. Empty cells and RELATION columns are left out.'),
  createdAt: z.iso.datetime().describe('When the row was created.'),
  updatedAt: z.iso.datetime().describe('When the row was changed last; links do not count.'),
});

const active = z.boolean().optional();

const newRow = z.strictObject({
  cells: cells.describe('Values by column id; see CellValue. Cells that are left out are empty.'),
  active: active.describe('Whether the row can be chosen in forms. Default: true.'),
});

const changes = {
  cells: cells.optional().describe('New values by column id; null empties a cell. Other cells do not change.'),
  active: active.describe('Whether the rows can be chosen in forms. Default: unchanged.'),
};

const rowIds = idList(maximumBulkRows)
  .min(1, 'must contain at least one id')
  .describe('1 to 5,000 rows of the data source.');

const related = component('Relation', 'A link as one of its rows sees it.', {
  columnId: id.describe('The RELATION column of the link.'),
  direction: z.enum(['OUT', 'IN']).meta({
    id: 'RelationDirection',
    description: 'OUT: a column of this row links to the other one. IN: the other row links to this one.',
  }),
  row: component('RelatedRow', 'The row at the other end of a link.', {
    id: id.describe('Id of the other row.'),
    dataSourceId: id.describe('The data source of the other row.'),
    label: z.string().describe('The first cell of the other row that is not empty, as text.'),
  }),
});

const cellChange = component('CellChange', 'The change of one cell or link.', {
  columnId: id.describe('The column; it may have been deleted since.'),
  before: cellValue.describe('The value before, or the id of a row that is no longer linked.'),
  after: cellValue.describe('The value after, or the id of a row that was linked.'),
});

const timelineItem = component('RowChange', 'A change of a row.', {
  id: id.describe('Id of the change.'),
  at: z.iso.datetime().describe('When it happened.'),
  actor,
  type: z
    .enum(['CREATED', 'UPDATED', 'LINKED', 'UNLINKED'])
    .meta({ id: 'RowChangeType', description: 'What happened to the row.' }),
  active: z.boolean().nullable().describe('What `active` became; null if it did not change.'),
  changes: z.array(cellChange).describe('The cells and links that changed.'),
});

/** Rows of a data source (spec: Data sources). */
export const dataSourceRows = {
  list: {
    method: 'GET',
    path: '/data-sources/:id/rows',
    large: true,
    access: 'data-sources:read',
    reads: 'replica-on-request',
    summary: 'List rows, newest first or by a column',
    query: z.strictObject({
      ...paging,
      search: searchQuery
        .optional()
        .describe(
          'Only rows with a cell that contains this text, ignoring case. Numbers and dates are searched as they are written in ' +
            'JSON, STATUS cells by the labels of their options; BOOLEAN cells are not searched. Default: all rows.',
        ),
      activeOnly: flag.default(false).describe('Only rows that are active. Default: false.'),
      sort: sortQuery
        .optional()
        .describe(
          'The id of a column, with `-` in front for the descending order. Text is sorted by its first 80 characters, ignoring case ' +
            'and accents, STATUS cells by their keys; empty cells come last. RELATION columns cannot be sorted by. Default: newest first.',
        ),
      filters: filtersQuery
        .optional()
        .describe(
          'Conditions that must all be met, at most 10, as a JSON list of `{ columnId, operator, value }`. TEXT and STATUS: EQUALS, ' +
            'NOT_EQUALS, CONTAINS, NOT_CONTAINS, IN, NOT_IN; NUMBER: EQUALS, NOT_EQUALS, GREATER_THAN, LESS_THAN, GREATER_OR_EQUAL, LESS_OR_EQUAL, IN; ' +
            'DATE and DATETIME: EQUALS, BEFORE, AFTER; BOOLEAN: EQUALS; all types: IS_EMPTY and IS_NOT_EMPTY, which take no value. IN and ' +
            'NOT_IN take a list. Text is compared ignoring case; CONTAINS compares the labels of STATUS options. An empty cell ' +
            'meets IS_EMPTY and the operators that begin with NOT_.',
        ),
    }),
    response: page(row),
  },
  get: {
    method: 'GET',
    path: '/data-sources/:id/rows/:rowId',
    access: 'data-sources:read',
    summary: 'Get a row',
    response: row,
  },
  create: {
    method: 'POST',
    path: '/data-sources/:id/rows',
    serial: true,
    access: 'data-sources:write',
    summary: 'Create a row',
    description:
      'Returns 402 with the capability `dataSourceRows` if the organization would have more rows than its plan includes: FREE 1,000, PRO ' +
      '10,000, BUSINESS 100,000, ENTERPRISE 1,000,000.',
    body: newRow.meta({ id: 'CreateRow', description: 'A new row.' }),
    status: 201,
    response: row,
  },
  bulkCreate: {
    method: 'POST',
    path: '/data-sources/:id/rows/bulk',
    large: true,
    access: 'data-sources:write',
    summary: 'Create up to 5,000 rows',
    description:
      'All or none. Returns 400 with a message for each of the first 200 invalid cells, which begins with its path, like ' +
      '`rows[17].cells.<columnId>`, and 402 with the capability `dataSourceRows` if the organization would have more rows than its plan ' +
      'includes. The body can have up to 10 MB.',
    body: component('CreateRows', 'Several new rows.', {
      rows: z
        .array(newRow.meta({ id: 'BulkRow', description: 'One of several new rows.' }))
        .min(1, 'must contain at least one row')
        .max(maximumBulkRows, `must contain at most ${maximumBulkRows} rows`)
        .describe('1 to 5,000 rows.'),
    }),
    ...bulk,
    status: 201,
    response: component('CreatedRows', 'The rows that were created.', {
      created: z.int().min(1).describe('How many rows were created.'),
      rowIds: z.array(id).describe('Their ids, in the order of the request.'),
    }),
  },
  update: {
    method: 'PATCH',
    path: '/data-sources/:id/rows/:rowId',
    serial: true,
    access: 'data-sources:write',
    summary: 'Update a row',
    body: component('UpdateRow', 'Changes to a row.', changes),
    response: row,
  },
  bulkUpdate: {
    method: 'POST',
    path: '/data-sources/:id/rows/bulk-update',
    large: true,
    access: 'data-sources:write',
    summary: 'Apply the same changes to several rows',
    description: 'All or none. Returns 400 naming each id that is not a row of the data source.',
    body: component('BulkUpdateRows', 'Changes to several rows.', { rowIds, ...changes }),
    ...bulk,
    response: component('UpdatedRows', 'The result of a bulk update.', {
      updated: z.int().min(0).describe('How many rows the request named.'),
    }),
  },
  delete: {
    method: 'DELETE',
    path: '/data-sources/:id/rows/:rowId',
    serial: true,
    access: 'data-sources:write',
    summary: 'Delete a row with its links',
    description: 'Runs that took values from the row keep them.',
  },
  bulkDelete: {
    method: 'POST',
    path: '/data-sources/:id/rows/bulk-delete',
    large: true,
    access: 'data-sources:write',
    summary: 'Delete several rows with their links',
    description: 'All or none. Returns 400 naming each id that is not a row of the data source.',
    body: component('BulkDeleteRows', 'The rows to delete.', { rowIds }),
    ...bulk,
    response: component('DeletedRows', 'The result of a bulk deletion.', {
      deleted: z.int().min(1).describe('How many rows were deleted.'),
    }),
  },
  timeline: {
    method: 'GET',
    path: '/data-sources/:id/rows/:rowId/timeline',
    large: true,
    access: 'data-sources:read',
    summary: 'List the changes of a row, newest first',
    query: pageQuery,
    response: page(timelineItem),
  },
  relations: {
    method: 'GET',
    path: '/data-sources/:id/rows/:rowId/relations',
    large: true,
    access: 'data-sources:read',
    summary: 'List the links from and to a row',
    description: 'Links to the row come before links from it.',
    query: pageQuery,
    response: page(related),
  },
} as const satisfies Group;
