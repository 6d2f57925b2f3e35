import { formats, type FieldValue } from '@runward/contract';
import { checkValue, type FieldDefinition } from '@runward/engine';

/** Formats a value so that the SDK's `parseValue` returns the same value. */
export function formatValue(value: FieldValue): string {
  return Array.isArray(value) ? value.join(',') : value === null ? '' : String(value);
}

/** The reason why a field does not accept a value, by the same check as on the server. Null if it accepts it. */
export function valueError(
  field: Pick<FieldDefinition, 'label' | 'type' | 'options'>,
  value: FieldValue,
): string | null {
  const error = checkValue(field, value, formats);
  return error === null ? null : `"${field.label}" ${error}`;
}
