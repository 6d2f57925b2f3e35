import { jsonBytes } from '@runward/engine';
import type { RequestContext } from '../access/request-context.ts';
import type { Cells } from './parse-cells.ts';

/**
 * What is wrong with the cells of a row if they are larger than the limit, and larger than before; otherwise null. `row` is what the message
 * begins with: the path, and the row.
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
