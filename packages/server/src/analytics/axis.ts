import { range, tickStep } from 'd3-array';

/** The requested number of parts of an axis. d3 makes up to five, so that steps are round. */
const parts = 3;

/** An axis from 0 to `top`, with a mark at every step. */
export interface Axis {
  readonly top: number;
  readonly marks: readonly number[];
}

/** The axis for values up to `most`. Its marks are multiples of 1, 2, 5, 10, 20 and so on of a unit. */
export function axisTo(most: number, unit = 1): Axis {
  const step = Math.max(1, tickStep(0, most / unit || 1, parts)) * unit;
  const top = step * Math.max(1, Math.ceil(most / step));
  return { top, marks: range(0, top + step / 2, step) };
}
