import type { Client } from '../client-type.ts';
import type { Field, FieldValue } from '../generated/runs.ts';
import { fieldTypes, optionKey, type Typed } from './field-types.ts';

/**
 * Parses a text for a field or flow variable by its type. Lists are separated by commas; options are given by key or
 * label. A blank text is null. A text that does not fit is returned unchanged, so that the service can reject it with a
 * reason.
 */
export function parseValue({ type, options = [] }: Typed, text: string): FieldValue {
  const trimmed = text.trim();
  const { isFreeText, parse } = fieldTypes[type];
  if (trimmed === '') return null;
  if (isFreeText) return text;
  return parse ? parse(trimmed, options) : trimmed;
}

/**
 * Reads the value for a field from the input of a person or a model. Like {@link parseValue}, but members and rows of
 * data sources can also be given by name. Input other than text is returned unchanged, except that labels of options
 * become keys.
 *
 * @throws FindError if no member or row fits or several do, or an error of the request
 */
export async function readValue(client: Client, field: Field, given: FieldValue): Promise<FieldValue> {
  if (Array.isArray(given)) return given.map((each) => optionKey(field.options, each) ?? each);
  if (typeof given !== 'string') return given;
  const { find } = fieldTypes[field.type];
  return find && given.trim() !== '' ? find(client, field, given.trim()) : parseValue(field, given);
}
