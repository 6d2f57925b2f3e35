import { jsonBytes } from '@runward/engine';
import type { RequestContext } from '../access/request-context.ts';
import type { Cells } from './parse-cells.ts';

/**
 * The problem of a row's cells if they are larger than the limit and larger than before, or else null. The message
 * begins with `row`, which has the path and the row.
 */
export function rowSizeProblem(
  { ports }: Pick<RequestContext, 'ports'>,
  row: string,
  cells: Cells,
  before: Cells = {},
): string | null {
  const { rowBytes } = ports.limits;
  const bytes = jsonBytes(cells);
  if (bytes <= rowBytes || bytes <= jsonBytes(before)) return null;
  return `${row} would take ${bytes} bytes as JSON, but the cells of a row can take at most ${rowBytes}; shorten its texts`;
}
