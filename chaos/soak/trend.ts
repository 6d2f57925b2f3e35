import type { Point } from './series.ts';

/** The slope of the line through points by least squares, per hour. 0 for fewer than two points in time. */
export function slopePerHour(points: readonly Point[]): number {
  const middle = mean(points.map(({ minutes }) => minutes));
  const height = mean(points.map(({ value }) => value));
  const covariance = sum(points.map(({ minutes, value }) => (minutes - middle) * (value - height)));
  const variance = sum(points.map(({ minutes }) => (minutes - middle) ** 2));
  return variance === 0 ? 0 : (covariance / variance) * 60;
}

/** The lowest of the first and of the last points, as far as they are at most `minutes` from the ends. */
export function lowestAtEnds(points: readonly Point[], minutes: number): { first: number; last: number } {
  const [from, to] = [points[0]?.minutes ?? 0, points.at(-1)?.minutes ?? 0];
  const lowestOf = (is: (point: Point) => boolean) => Math.min(...points.filter(is).map(({ value }) => value));
  return {
    first: lowestOf((point) => point.minutes <= from + minutes),
    last: lowestOf((point) => point.minutes >= to - minutes),
  };
}

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
const mean = (values: readonly number[]) => sum(values) / values.length;
