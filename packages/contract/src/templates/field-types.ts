import { z } from 'zod';
import { component } from '../component.ts';
import { description, id, key, title } from '../values.ts';

/** The types of form fields. */
export const fieldTypes = [
  'TEXT',
  'LONG_TEXT',
  'NUMBER',
  'EMAIL',
  'URL',
  'PHONE',
  'CHECKBOX',
  'DATE',
  'DATETIME',
  'DROPDOWN',
  'MULTI_SELECT',
  'USER',
  'FILE_UPLOAD',
  'SIGNATURE',
  'IMAGE',
  'DATA_SOURCE',
] as const;

/** The type of a form field. It determines the shape of the values. */
export type FieldType = (typeof fieldTypes)[number];

/** The type of a form field on the wire. */
export const fieldType = z.enum(fieldTypes).meta({ id: 'FieldType', description: 'The type of a form field.' });

const fieldOption = component('FieldOption', 'An option of a DROPDOWN or MULTI_SELECT field.', {
  key: key.describe('What values contain. Unique within the field.'),
  label: title.describe('What people see.'),
});

/** The options of a field: at most 200, each with its own key. */
export const fieldOptions = z
  .array(fieldOption)
  .max(200, 'must contain at most 200 options')
  .refine(
    (options) => new Set(options.map((option) => option.key)).size === options.length,
    'must not contain a key twice',
  );

const filled = component('AutoFill', 'A field that is filled from a column of the chosen row.', {
  columnId: id.describe('A column of the data source.'),
  fieldId: id.describe('Another field of the same task that is not a DATA_SOURCE field; each once.'),
});

/** Where a DATA_SOURCE field looks up its rows. */
export const fieldLookup = component('FieldLookup', 'Where a DATA_SOURCE field looks up its rows.', {
  dataSourceId: id.describe('The data source whose rows can be chosen.'),
  labelColumnId: id.describe('The column that rows are shown by; not a RELATION column.'),
  autoFill: z
    .array(filled)
    .max(100, 'must contain at most 100 fields')
    .describe('The fields that submitting a row fills; can be empty.'),
});

/** A form field of a task. */
export const field = component('Field', 'A form field of a task.', {
  id: id.describe('Id of the field, stable across versions; `runTaskFieldId` in runs.'),
  position: z.int().min(0).describe('Counts from 0 within the task.'),
  key: key.describe('Unique within the template.'),
  label: title.describe('What people see.'),
  type: fieldType.describe('Determines the shape of the values; see FieldValue.'),
  required: z.boolean().describe('Whether an entry can be completed only with a value for the field.'),
  helpText: description.nullable().describe('Help for people who fill in the field; null for none.'),
  options: fieldOptions.describe('Empty unless the type is DROPDOWN or MULTI_SELECT.'),
  dataSource: fieldLookup
    .nullable()
    .describe('Where a DATA_SOURCE field looks up its rows; null for none, and for other types.'),
  searchable: z.boolean().describe('Whether runs can be found by the value of the field.'),
});

/** A form field of a task on the wire. */
export type Field = z.output<typeof field>;

/** The value of a field. Its shape depends on the type of the field; null clears the value. */
export const fieldValue = z.union([z.string(), z.number(), z.boolean(), z.array(z.string()), z.null()]).meta({
  id: 'FieldValue',
  description:
    'The shape depends on the type of the field. TEXT, LONG_TEXT: a string of at most 10,000 characters. EMAIL: an email address. URL: an ' +
    'http or https URL of at most 2,048 characters. PHONE: a string of at most 32 digits, spaces and `+ ( ) . -`. NUMBER: a number. CHECKBOX: ' +
    'a boolean. DATE: a date like `2026-03-01`. DATETIME: an ISO 8601 timestamp with a time zone. DROPDOWN: an option key. MULTI_SELECT: an ' +
    'array of distinct option keys. USER: the id of an active member. FILE_UPLOAD: a file id or an array of at most 20 file ids. SIGNATURE, ' +
    'IMAGE: a file id. DATA_SOURCE: the id of a data-source row. Dates are between the years 1900 and 2999. null clears the value.',
});

/** The value of a field on the wire. */
export type FieldValue = z.output<typeof fieldValue>;
