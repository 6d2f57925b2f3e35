import type { CellValue } from '@runward/contract';
import type { DataSourceColumn } from './entities/data-source-column.ts';
import type { Cells } from './parse-cells.ts';

/** A cell as text for people: for a STATUS cell, the label of its option. Empty for an empty cell. */
export function textOfCell(
  { type, settings }: Pick<DataSourceColumn, 'type' | 'settings'>,
  value: CellValue | undefined,
): string {
  const label = type === 'STATUS' && settings.options?.find(({ key }) => key === value)?.label;
  return label || String(value ?? '');
}

/**
 * The label of a row: its first cell that is not empty, or its id if all are empty. `columns` are those of its data
 * source, by position.
 */
export function labelOf(columns: readonly DataSourceColumn[], { id, cells }: { id: string; cells: Cells }): string {
  const column = columns.find((each) => cells[each.id] !== undefined);
  return column ? textOfCell(column, cells[column.id]) : id;
}
