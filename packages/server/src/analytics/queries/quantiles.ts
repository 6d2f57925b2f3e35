import { sql, type RawBuilder } from 'kysely';

/** The median and the 90th percentile, in proportion between two neighbors; null of nothing. */
export type Quantiles = readonly number[] | null;

const fractions = sql`array[0.5, 0.9]`;

/** Quantiles of a column over all rows that fulfil a condition. */
export function quantilesIf(column: string, condition: string): RawBuilder<Quantiles> {
  return sql<Quantiles>`percentile_cont(${fractions}) within group (order by ${sql.ref(column)}) filter (where ${sql.raw(condition)})`;
}

/**
 * Quantiles of a column with the values of a group, as `array_agg` collects them. A group by quantiles would sort all rows by the group before
 * it sorts the values of each.
 */
export function quantilesIn(column: string): RawBuilder<Quantiles> {
  return sql<Quantiles>`(select percentile_cont(${fractions}) within group (order by value) from unnest(${sql.ref(column)}) value)`;
}
