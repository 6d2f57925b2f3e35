/** Connections of each load. */
export const connections = 10;

/** The result of a load. */
export interface Measured {
  readonly seconds: number;
  /** How long each request, or each form flow, took. */
  readonly milliseconds: readonly number[];
}

/** The smallest value that at least this share of the values do not exceed. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? NaN;
}

/** The middle value; between two middle ones, their mean. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  const [lower = NaN, upper = lower] = sorted.slice(
    Math.ceil(sorted.length / 2) - 1,
    Math.floor(sorted.length / 2) + 1,
  );
  return (lower + upper) / 2;
}
