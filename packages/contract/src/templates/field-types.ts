import { z } from 'zod';
import { description, id, key, title } from '../values.ts';

/** Every type a form field can have. */
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

/** The type of a form field; it decides the shape of its values. */
export type FieldType = (typeof fieldTypes)[number];

/** One choice of a DROPDOWN or MULTI_SELECT field; values name it by `key`. */
export const fieldOption = z.strictObject({ key, label: title });

/** Choices of a field, 200 at most, each key once. */
export const fieldOptions = z
  .array(fieldOption)
  .max(200, 'must list at most 200 options')
  .refine((options) => new Set(options.map((option) => option.key)).size === options.length, 'must not repeat a key');

/** A form field of a task, as reads answer it. */
export const field = z
  .strictObject({
    id,
    position: z.int(),
    key,
    label: title,
    type: z.enum(fieldTypes),
    required: z.boolean(),
    helpText: description.nullable(),
    options: fieldOptions,
  })
  .meta({ id: 'Field' });

/** A form field of a task on the wire. */
export type Field = z.output<typeof field>;

/**
 * The value of a field. Its shape follows the field's type: string; number; boolean; ISO date; ISO timestamp; option key;
 * option keys; user id; file id or ids; data-source row id. `null` clears.
 */
export const fieldValue = z
  .union([z.string(), z.number(), z.boolean(), z.array(z.string()), z.null()])
  .meta({ id: 'FieldValue' });

/** The value of a field on the wire. */
export type FieldValue = z.output<typeof fieldValue>;
