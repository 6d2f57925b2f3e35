import { formats, type FieldValue } from '@runward/contract';
import { checkValue, type FieldDefinition } from '@runward/engine';

/** A form field as far as values are concerned. */
export type FormField = Pick<FieldDefinition, 'id' | 'key' | 'label' | 'type' | 'required' | 'options'>;

const truths: Readonly<Record<string, boolean>> = { true: true, yes: true, y: true, false: false, no: false, n: false };

/**
 * The value a text means for a field: typed by the type of the field, lists separated by commas, options by key or label.
 * An empty text clears. What cannot be read is passed on as it is, for {@link problem} to refuse.
 */
export function readText(field: FormField, given: string): FieldValue {
  const text = given.trim();
  if (text === '') return null;
  switch (field.type) {
    case 'TEXT':
    case 'LONG_TEXT':
      return given;
    case 'NUMBER':
      return Number.isNaN(Number(text)) ? text : Number(text);
    case 'CHECKBOX':
      return truths[text.toLowerCase()] ?? text;
    case 'DROPDOWN':
      return optionKey(field, text);
    case 'MULTI_SELECT':
      return parts(text).map((part) => optionKey(field, part));
    case 'FILE_UPLOAD':
      return parts(text).length > 1 ? parts(text) : text;
    default:
      return text;
  }
}

/** A value as text that {@link readText} reads back. */
export function writeText(value: FieldValue): string {
  return Array.isArray(value) ? value.join(',') : value === null ? '' : String(value);
}

/** What is wrong with a value for a field as a sentence, or null. The engine of the server applies the same check. */
export function problem(field: FormField, value: FieldValue): string | null {
  const found = checkValue({ ...field, helpText: null }, value, formats);
  return found === null ? null : `"${field.label}" ${found}`;
}

function optionKey({ options }: FormField, text: string): string {
  const byKey = options.find(({ key }) => key === text);
  return (byKey ?? options.find(({ label }) => label.toLowerCase() === text.toLowerCase()))?.key ?? text;
}

function parts(text: string): string[] {
  return text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
}
