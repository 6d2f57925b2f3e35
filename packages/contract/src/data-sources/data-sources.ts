import { z } from 'zod';
import { component } from '../component.ts';
import type { Group } from '../endpoint.ts';
import { page, pageQuery, paging } from '../page.ts';
import { description, id, title } from '../values.ts';
import { cells, column, columnDefinition, columnName, maximumColumns } from './column-types.ts';
import { searchQuery } from './filters.ts';

/** A table of the organization's own data. */
const dataSource = component('DataSource', "A table of the organization's own data.", {
  id: id.describe('Id of the data source.'),
  name: title.describe('Display name.'),
  description: description.nullable().describe('What the data source holds; null for none.'),
  columns: z.array(column).describe('Its columns, by position.'),
  rowCount: z.int().min(0).describe('Its rows, inactive ones included; exact.'),
  createdAt: z.iso.datetime().describe('When the data source was created.'),
  updatedAt: z.iso.datetime().describe('When its name, description or columns were changed last.'),
});

const name = title.describe('Display name. Names need not be unique.');
const about = description.nullable().optional();

/** Data sources (spec: Data sources). */
export const dataSources = {
  list: {
    method: 'GET',
    path: '/data-sources',
    large: true,
    access: 'data-sources:read',
    summary: 'List data sources, newest first',
    query: pageQuery,
    response: page(dataSource),
  },
  create: {
    method: 'POST',
    path: '/data-sources',
    access: 'data-sources:write',
    summary: 'Create a data source',
    body: component('CreateDataSource', 'A new data source.', {
      name,
      description: about.describe('At most 2,000 characters. Default: null.'),
      columns: z
        .array(
          z.union([
            columnName,
            columnDefinition.meta({ id: 'CreateDataSourceColumn', description: 'A column of a new data source.' }),
          ]),
        )
        .max(maximumColumns, `must contain at most ${maximumColumns} columns`)
        .describe(`Its columns in order, at most ${maximumColumns}: names of TEXT columns, or objects with a type.`),
    }),
    status: 201,
    response: dataSource,
  },
  get: {
    method: 'GET',
    path: '/data-sources/:id',
    access: 'data-sources:read',
    summary: 'Get a data source with its columns',
    response: dataSource,
  },
  update: {
    method: 'PATCH',
    path: '/data-sources/:id',
    serial: true,
    access: 'data-sources:write',
    summary: 'Rename or describe a data source',
    description: 'Properties that are left out do not change.',
    body: component('UpdateDataSource', 'Changes to a data source.', {
      name: name.optional(),
      description: about.describe('At most 2,000 characters; null for none.'),
    }),
    response: dataSource,
  },
  delete: {
    method: 'DELETE',
    path: '/data-sources/:id',
    large: true,
    access: 'data-sources:write',
    summary: 'Delete a data source with its rows',
    description:
      'Returns 400 if a draft, a published version of a template or the version of an active run looks up rows of it, or if a RELATION ' +
      'column of another data source links to it. Runs keep what they took from its rows.',
    timeBudgetMs: 60_000,
    errors: ['in_use'],
  },
  lookup: {
    method: 'GET',
    path: '/data-sources/:id/lookup',
    large: true,
    access: 'data-sources:read',
    summary: 'Look up rows for a DATA_SOURCE field of a template',
    description:
      'Active rows with the label that the field shows, by label. The field is looked for in the published version, in the draft, and then ' +
      'in older versions, which runs may still follow. Returns 400 if it looks up rows of another data source, and 403 for a template outside the resource scope.',
    errors: ['out_of_resource_scope'],
    query: z.strictObject({
      ...paging,
      templateFieldId: id.describe('A DATA_SOURCE field of a template: `runTaskFieldId` in runs.'),
      search: searchQuery
        .optional()
        .describe(
          'Only rows with a cell that contains this text; as for `GET /data-sources/:id/rows`. Default: all rows.',
        ),
    }),
    response: page(
      component('LookupRow', 'A row that can be chosen in a form.', {
        id: id.describe('Id of the row: the value to submit.'),
        label: z.string().describe('Its cell in the label column, as text; empty if the cell is.'),
        cells: cells.describe('Its values by column id.'),
      }),
    ),
  },
} as const satisfies Group;
