import { sql, type RawBuilder } from 'kysely';

/** The median and the 90th percentile, interpolated between two neighbors. Null if there are no values. */
export type Quantiles = readonly number[] | null;

const fractions = sql`array[0.5, 0.9]`;

/** Quantiles of a column over all rows that meet a condition. */
export function quantilesIf(column: string, condition: string): RawBuilder<Quantiles> {
  return sql<Quantiles>`percentile_cont(${fractions}) within group (order by ${sql.ref(column)}) filter (where ${sql.raw(condition)})`;
}

/**
 * Quantiles of the values in a column that `array_agg` has collected for a group. Grouping with `percentile_cont` would
 * sort all rows by the group before it sorts the values of each group.
 */
export function quantilesIn(column: string): RawBuilder<Quantiles> {
  return sql<Quantiles>`(select percentile_cont(${fractions}) within group (order by value) from unnest(${sql.ref(column)}) value)`;
}
