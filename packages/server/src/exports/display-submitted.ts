import { displayValue, type Display, type FieldDefinition, type ValueState } from '@runward/engine';

/** A submitted value as text for people. A row of a data source has the label of that time. Null if it is empty. */
export function displaySubmitted(
  field: FieldDefinition,
  submitted: Pick<ValueState, 'value' | 'rowLabel'> | undefined,
  display: Display,
): string | null {
  return submitted?.rowLabel ?? displayValue(field, submitted?.value ?? null, display);
}
