/** Connections of each load. */
export const connections = 10;

/** The result of a load. */
export interface Measured {
  readonly seconds: number;
  /** How long each request, or each form flow, took. */
  readonly milliseconds: readonly number[];
}

/** The middle value. For an even number of values, the mean of the two middle ones. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  const [lower = NaN, upper = lower] = sorted.slice(
    Math.ceil(sorted.length / 2) - 1,
    Math.floor(sorted.length / 2) + 1,
  );
  return (lower + upper) / 2;
}
