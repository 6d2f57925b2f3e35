import type { SubmittedValue } from '../commands.ts';
import type { Formats } from '../environment.ts';
import { visibleFields, type EntryState, type TaskState } from '../state.ts';
import { checkValue } from '../values.ts';

/** A value to fill in, and the DATA_SOURCE field that it comes from. */
type Fill = readonly [lookupId: string, value: SubmittedValue];

/**
 * The values that follow from the rows chosen in a submission. Hidden fields, and fields that the submission itself
 * names, are not filled. A value that does not fit its field counts as an empty cell. An empty cell, or a cleared
 * lookup, clears the values that this lookup filled and nobody has changed since.
 */
export function fillsOf(
  task: TaskState,
  entry: EntryState,
  values: readonly SubmittedValue[],
  formats: Formats,
): readonly Fill[] {
  const visible = new Map(visibleFields(task).map((field) => [field.id, field]));
  const taken = new Set(values.map(({ fieldId }) => fieldId));
  const fills: Fill[] = [];
  // If a field has several values, the last one counts.
  for (const { fieldId: lookupId, value, row } of new Map(values.map((each) => [each.fieldId, each])).values()) {
    const targets = visible.get(lookupId)?.dataSource?.autoFill ?? [];
    for (const { fieldId } of targets) {
      const field = visible.get(fieldId);
      if (!field || taken.has(fieldId)) continue;
      const current = entry.values.find((known) => known.fieldId === fieldId);
      const fill = value === null ? undefined : row?.fills.find((each) => each.fieldId === fieldId);
      if (fill && fill.value !== null && checkValue(field, fill.value, formats) === null) {
        taken.add(fieldId);
        fills.push([lookupId, fill]);
      } else if (current?.filledFrom === lookupId && current.value !== null) {
        taken.add(fieldId);
        fills.push([lookupId, { fieldId, fieldValueId: current.id, value: null }]);
      }
    }
  }
  return fills;
}
