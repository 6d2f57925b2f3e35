import { formats, type CellValue, type FieldValue } from '@runward/contract';
import { traitsOf, type FieldDefinition, type RunState, type SubmittedValue } from '@runward/engine';
import { canFill } from '../../access/ensure-lookup.ts';
import { textOfCell } from '../../data-sources/row-label.ts';
import { newId } from '../../ids.ts';
import type { ReferredRow, Referents } from '../store/references.ts';

/**
 * For a submission, resolves the rows that values of DATA_SOURCE fields name: by field, the label of the row and what
 * it fills, or why it cannot be chosen. If a field already has a value, that value stays valid after its row was
 * deactivated. `rows` has the rows that exist, by id.
 */
export function lookUpRows(
  run: RunState,
  values: readonly SubmittedValue[],
  rows: Referents['rows'],
): ReadonlyMap<string, Pick<SubmittedValue, 'row' | 'missing'>> {
  const found = new Map<string, Pick<SubmittedValue, 'row' | 'missing'>>();
  const tasks = new Map(
    run.tasks.flatMap((task) => task.definition.fields.map((field) => [field.id, { task, field }])),
  );
  for (const { fieldId, value } of values) {
    const place = tasks.get(fieldId);
    if (!place || traitsOf(place.field.type).refersTo !== 'row') continue;
    if (typeof value !== 'string' || !formats.isId(value)) continue;
    const { task, field } = place;
    if (!field.dataSource) {
      found.set(fieldId, {
        missing: 'has no data source to look up rows in; set its dataSource in the template and publish',
      });
      continue;
    }
    const { dataSourceId, labelColumnId, autoFill } = field.dataSource;
    const row = rows.get(value.toLowerCase());
    const isKept = task.entries.some((entry) =>
      entry.values.some((one) => one.fieldId === fieldId && one.value === row?.id),
    );
    if (row?.dataSourceId !== dataSourceId || !(row.active || isKept)) {
      found.set(fieldId, { missing: 'must be an active row of its data source; see GET /data-sources/:id/lookup' });
      continue;
    }
    const columns = new Map(row.columns.map((column) => [column.id, column]));
    const label = columns.get(labelColumnId);
    const fills = autoFill.flatMap(({ columnId, fieldId: targetId }) => {
      const target = task.definition.fields.find(({ id }) => id === targetId);
      const column = columns.get(columnId);
      if (!target || !column) return [];
      const filled = valueFor(target, column, row.cells[columnId] ?? null);
      return [{ fieldId: targetId, fieldValueId: newId(), value: filled }];
    });
    found.set(fieldId, { row: { label: label ? textOfCell(label, row.cells[labelColumnId]) : '', fills } });
  }
  return found;
}

/** A cell in the format of a field: as text for a text field. Null if it is empty, or if its type does not fit. */
function valueFor({ type }: FieldDefinition, column: ReferredRow['columns'][number], cell: CellValue): FieldValue {
  if (cell === null || !canFill(column.type, type)) return null;
  return traitsOf(type).isFreeText ? textOfCell(column, cell) : cell;
}
