import { displayValue, type Display, type FieldDefinition, type ValueState } from '@runward/engine';

/** A submitted value as people read it; a row of a data source as it was called then. Null if it is empty. */
export function displaySubmitted(
  field: FieldDefinition,
  submitted: Pick<ValueState, 'value' | 'rowLabel'> | undefined,
  display: Display,
): string | null {
  return submitted?.rowLabel ?? displayValue(field, submitted?.value ?? null, display);
}
