import { table } from '@runward/testing/measuring/table';
import type { TableTrend, Trend } from './judge.ts';
import { tablePlan } from './table-plan.ts';

const right = 'right' as const;
const left = 'left' as const;

/** Lays out what was measured again and again, as a table. */
export function describeTrends(trends: readonly Trend[]): string {
  const order = (one: Trend, other: Trend) => (one.measure < other.measure ? -1 : one.measure > other.measure ? 1 : 0);
  const rows = trends
    .toSorted(order)
    .map(({ measure, of, first, last, highest, perHour, problem }) => [
      measure,
      of,
      shown(first),
      shown(last),
      shown(highest),
      `${perHour < 0 ? '' : '+'}${perHour.toFixed(1)}`,
      problem === null ? '' : 'grows',
    ]);
  return table(
    [['what', 'of', 'lowest at first', 'at last', 'highest', 'per hour', ''], ...rows],
    [left, left, right, right, right, right, left],
  );
}

/** Lays out the tables that have rows. */
export function describeTables(tables: readonly TableTrend[]): string {
  const rows = tables
    .filter(({ rows: [, , end] }) => end > 0)
    .map(({ table: name, rows: [start, warm, end], bytes, per100: [before, after], problem }) => [
      name,
      String(start),
      String(warm),
      String(end),
      before.toFixed(1),
      after.toFixed(1),
      (bytes / 1_000_000).toFixed(1),
      planOf(name),
      problem === null ? '' : 'grows',
    ]);
  const head = ['table', 'start', 'warm', 'end', 'rows per 100', 'after', 'MB', 'plan', ''];
  return table([head, ...rows], [left, right, right, right, right, right, right, left, left]);
}

function planOf(name: string): string {
  const plan = tablePlan[name];
  if (!plan) return 'none';
  if ('most' in plan) return `at most ${plan.most}`;
  return plan.keptFor === undefined ? `by ${plan.growsWith}` : `by ${plan.growsWith}, for ${plan.keptFor}`;
}

const shown = (value: number) => (Number.isInteger(value) ? String(value) : value.toFixed(1));
