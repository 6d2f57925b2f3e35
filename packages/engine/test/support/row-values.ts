import type { FieldValue } from '@runward/contract';
import type { FieldDefinition, SubmittedValue } from '@runward/engine';
import type { Step } from './arbitraries.ts';
import { validFileId, valueFor } from './document-arbitraries.ts';

/**
 * A row for the first lookup, or none, and other values. Some of these are for fields that the lookup fills, or for the
 * lookup itself.
 */
export function rowValues(
  { pick, key, values: others }: Step,
  fields: readonly FieldDefinition[],
  newId: string,
  clears: boolean,
): SubmittedValue[] {
  const lookup = fields.find(hasTargets) ?? fields[0];
  const targets = lookup?.dataSource?.autoFill ?? [];
  const cellOf = (fieldId: string, index: number): FieldValue => {
    const field = fields.find(({ id }) => id === fieldId);
    const cells = [field ? valueFor(field, pick) : null, field ? valueFor(field, pick) : null, null, ['misfit']];
    return cells[(pick + index) % cells.length] ?? null;
  };
  const fills = targets.map(({ fieldId }, index) => {
    return { fieldId, fieldValueId: `filled-${newId}-${index}`, value: cellOf(fieldId, index) };
  });
  const row = { label: `Row ${pick % 3}`, fills };
  const chosen = (clears && pick % 3 > 0) || pick % 7 === 0 ? { value: null } : { value: validFileId, row };
  const more = others.map(({ pick: other, value }, index) => {
    const fieldId = [targets[0]?.fieldId, lookup?.id, fields[0]?.id][other % 3] ?? 'no-field';
    const isLookup = fieldId === lookup?.id;
    const field = fields.find(({ id }) => id === fieldId);
    const valid = isLookup ? null : field ? valueFor(field, other) : value;
    return { fieldId, fieldValueId: `value-${newId}-${index}`, value: valid };
  });
  const first = { fieldId: lookup?.id ?? 'no-field', fieldValueId: `value-${newId}`, ...chosen };
  return key === 'key-1' ? [first, ...more] : [first];
}

/** Whether a field is a look-up that fills others. */
export function hasTargets({ dataSource }: FieldDefinition): boolean {
  return (dataSource?.autoFill.length ?? 0) > 0;
}
