import type { Counts, CycleTime } from './queries/figures.ts';

/** Figures of runs, as responses contain them. */
export function presentFigures(figures: Counts & CycleTime) {
  const { total, RUNNING, OVERDUE, COMPLETED, CANCELLED, onTime, average, quantiles } = figures;
  return {
    total,
    byStatus: { RUNNING, OVERDUE, COMPLETED, CANCELLED },
    completionRate: rate(COMPLETED, total - CANCELLED),
    onTimeRate: rate(onTime, COMPLETED),
    cycleTimeSeconds: { average: inMilliseconds(average), ...presentQuantiles(quantiles) },
  };
}

/** A part as a fraction of the whole; null if the whole is 0. */
export function rate(part: number, whole: number): number | null {
  return whole === 0 ? null : part / whole;
}

/** The median and the 90th percentile, in seconds. */
export function presentQuantiles(quantiles: readonly number[] | null) {
  const [median = null, p90 = null] = quantiles ?? [];
  return { median: inMilliseconds(median), p90: inMilliseconds(p90) };
}

/** Seconds, rounded to milliseconds, the precision of timestamps. */
function inMilliseconds(seconds: number | null): number | null {
  return seconds === null ? null : Math.round(seconds * 1_000) / 1_000;
}
