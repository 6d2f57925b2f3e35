import { formats, type FieldValue } from '@runward/contract';
import { checkValue, type FieldDefinition } from '@runward/engine';
import { list } from '../options.ts';

/** The parts of a field definition that its values are parsed and validated by. */
export type FormField = Pick<FieldDefinition, 'id' | 'key' | 'label' | 'type' | 'required' | 'options'>;

const booleans: Readonly<Record<string, boolean>> = {
  true: true,
  yes: true,
  y: true,
  false: false,
  no: false,
  n: false,
};

/**
 * Parses the text of a field by the field's type: lists are comma-separated, options are given by key or label. An empty text
 * is null. Text that cannot be parsed is returned unchanged, so that {@link valueError} reports it.
 */
export function parseValue(field: FormField, entered: string): FieldValue {
  const text = entered.trim();
  if (text === '') return null;
  switch (field.type) {
    case 'TEXT':
    case 'LONG_TEXT':
      return entered;
    case 'NUMBER':
      return Number.isNaN(Number(text)) ? text : Number(text);
    case 'CHECKBOX':
      return booleans[text.toLowerCase()] ?? text;
    case 'DROPDOWN':
      return optionKey(field, text);
    case 'MULTI_SELECT':
      return list(text).map((part) => optionKey(field, part));
    case 'FILE_UPLOAD':
      return list(text).length > 1 ? list(text) : text;
    default:
      return text;
  }
}

/** A value as text that {@link parseValue} parses to the same value. */
export function formatValue(value: FieldValue): string {
  return Array.isArray(value) ? value.join(',') : value === null ? '' : String(value);
}

/** Why a field does not accept a value, by the same check that the server uses; null if it accepts it. */
export function valueError(field: FormField, value: FieldValue): string | null {
  const error = checkValue(field, value, formats);
  return error === null ? null : `"${field.label}" ${error}`;
}

function optionKey({ options }: FormField, text: string): string {
  const byKey = options.find(({ key }) => key === text);
  return (byKey ?? options.find(({ label }) => label.toLowerCase() === text.toLowerCase()))?.key ?? text;
}
