import { formats, type FieldValue } from '@runward/contract';
import { checkValue, type FieldDefinition } from '@runward/engine';

/** A value as text that `parseValue` of the SDK parses to the same value. */
export function formatValue(value: FieldValue): string {
  return Array.isArray(value) ? value.join(',') : value === null ? '' : String(value);
}

/** Why a field does not accept a value, by the same check that the server uses; null if it accepts it. */
export function valueError(
  field: Pick<FieldDefinition, 'label' | 'type' | 'options'>,
  value: FieldValue,
): string | null {
  const error = checkValue(field, value, formats);
  return error === null ? null : `"${field.label}" ${error}`;
}
