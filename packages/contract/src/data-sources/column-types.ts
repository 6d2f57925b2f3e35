import { z } from 'zod';
import { component } from '../component.ts';
import { id, key, title } from '../values.ts';

/** The types of columns (spec: Other resources). */
export const columnTypes = ['TEXT', 'DATE', 'DATETIME', 'NUMBER', 'BOOLEAN', 'STATUS', 'RELATION'] as const;

/** The type of a column. It determines the shape of its cells. */
export type ColumnType = (typeof columnTypes)[number];

const columnType = z.enum(columnTypes).meta({ id: 'ColumnType', description: 'The type of a column.' });

/** The most columns that a data source can have. */
export const maximumColumns = 50;

/** Names that rows use for properties of their own. */
const reservedColumnNames = ['id', 'active', 'createdAt', 'updatedAt'] as const;

/** The name of a column: not reserved, ignoring case. */
export const columnName = title.refine(
  (name) => !reservedColumnNames.some((reserved) => reserved.toLowerCase() === name.toLowerCase()),
  `must not be one of the reserved names ${reservedColumnNames.join(', ')}`,
);

const statusOption = component('StatusOption', 'An option of a STATUS column.', {
  key: key.describe('What cells contain. Unique within the column.'),
  label: title.describe('What people see.'),
});

const statusConfig = component('StatusConfig', 'The configuration of a STATUS column.', {
  options: z
    .array(statusOption)
    .min(1, 'must contain at least one option')
    .max(200, 'must contain at most 200 options')
    .refine(
      (options) => new Set(options.map((option) => option.key)).size === options.length,
      'must not contain a key twice',
    )
    .describe('1 to 200 options, each with its own key.'),
});

const relationTarget = id.describe('The data source whose rows the column links to; it can be its own.');

const relationConfig = component('RelationConfig', 'The configuration of a RELATION column.', {
  dataSourceId: relationTarget,
  multiple: z.boolean().describe('Whether a row can have several links in the column.'),
});

const relationConfigInput = component('RelationConfigInput', 'The configuration that a RELATION column gets.', {
  dataSourceId: relationTarget,
  multiple: relationConfig.shape.multiple
    .optional()
    .describe('Whether a row can have several links in the column. Default: false.'),
});

/** The configuration of a column as a client sends it. */
const columnConfigInput = z.union([statusConfig, relationConfigInput]);

/** The configuration of a column on the wire; null unless the type is STATUS or RELATION. */
const columnConfig = z.union([statusConfig, relationConfig, z.null()]);

/** A column of a data source. */
export const column = component('Column', 'A column of a data source.', {
  id: id.describe('Id of the column; cells and filters name it.'),
  name: title.describe('Unique within the data source, ignoring case.'),
  type: columnType.describe('Determines the shape of the cells; see CellValue.'),
  position: z.int().min(0).describe('Counts from 0 within the data source.'),
  config: columnConfig.describe('The options of a STATUS column, the target of a RELATION column, or null.'),
});

/** What a column is made of, as a client sends it. */
export const columnDefinition = z.strictObject({
  name: columnName.describe(
    'Unique within the data source, ignoring case. `id`, `active`, `createdAt` and `updatedAt` are reserved.',
  ),
  type: columnType.optional().describe('New columns: TEXT by default.'),
  config: columnConfigInput
    .nullish()
    .describe('Required for STATUS and RELATION; absent or null for other types. An update replaces it as a whole.'),
});

/** The value of a cell. Its shape depends on the type of the column; null empties the cell. */
export const cellValue = z.union([z.string(), z.number(), z.boolean(), z.null()]).meta({
  id: 'CellValue',
  description:
    'The shape depends on the type of the column. TEXT: a string of at most 10,000 characters. NUMBER: a number of at most 15 significant ' +
    'digits, stored as a decimal. BOOLEAN: a boolean. DATE: a date like `2026-03-01`. DATETIME: an ISO 8601 timestamp with a time zone. ' +
    'STATUS: an option key. RELATION columns have links instead of cells. Dates are between the years 1900 and 2999. null and an empty ' +
    'string empty the cell.',
});

/** The value of a cell on the wire. */
export type CellValue = z.output<typeof cellValue>;

/** The cells of a row by column id; empty cells are left out. */
export const cells = z.record(z.string(), cellValue);
