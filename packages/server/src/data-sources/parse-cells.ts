import { parseCell, type CellValue } from '@runward/contract';
import type { DataSourceColumn } from './entities/data-source-column.ts';

/** The cells of a row, as stored. Null empties a cell. */
export type Cells = Readonly<Record<string, CellValue>>;

/** The most problems that a response names. A request can have 200,000, and each message can list 200 options. */
export const maximumProblems = 200;

/**
 * Parses cells. The case of column ids does not matter. `path` leads to the cells, like `rows[17].cells`. Ends with the
 * first problem that is too many.
 */
export function parseCells(
  columns: ReadonlyMap<string, DataSourceColumn>,
  cells: Cells,
  path: string,
): { readonly cells: Cells; readonly problems: readonly string[] } {
  const parsed: Record<string, CellValue> = {};
  const problems: string[] = [];
  for (const [name, value] of Object.entries(cells)) {
    if (problems.length > maximumProblems) break;
    const id = name.toLowerCase();
    const column = columns.get(id);
    const result = column
      ? parseCell(column, value)
      : { problem: 'no column of this data source; see GET /data-sources/:id' };
    if ('problem' in result) problems.push(`${path}.${name}: ${result.problem}`);
    else if (id in parsed) problems.push(`${path}.${name}: the column is named twice; remove one`);
    else parsed[id] = result.value;
  }
  return { cells: parsed, problems };
}
