import type { TableSize } from './count-tables.ts';
import type { Measure, Point, Series } from './series.ts';
import type { TablePlan } from './table-plan.ts';
import { lowestAtEnds, slopePerHour } from './trend.ts';

/** Memory and tables are judged from here on: code is compiled by then, and pools are filled. */
export const warmUpMinutes = 10;

/** In a shorter time, slopes and differences say more about chance than about a leak. */
const leastMinutes = 30;

/**
 * The most that memory may grow, in megabytes per hour: several times what chance makes of the slope. A leak of 400
 * bytes per request exceeds the first one at the default rate, at which each API process gets 27,000 requests an hour.
 */
const mostPerHour: Partial<Record<Measure, number>> = {
  'memory in use': 10,
  'memory outside the heap': 20,
  'private memory of a connection': 2,
};

/** What has another bound, or none, and is shown only: the heap has a limit, and keeps what a peak needed. */
const shownOnly: ReadonlySet<Measure> = new Set(['resident memory', 'resident memory of child processes', 'caches']);

/**
 * How much more there may be of something else at the end: this many, or this share, when there is least of it. A busy
 * machine handles more requests at the same time, which need more of everything, but not all the time.
 */
const tolerance = { count: 5, share: 0.1 };

/** How many times more rows per request a table may get after the first ten minutes than in them. */
const mostAcceleration = 2;
/** Too few rows to judge. */
const fewRows = 300;

/** A judged series. */
export interface Trend {
  readonly of: string;
  readonly measure: Measure;
  /** The lowest values of the first and of the last ten minutes after the first ten minutes. */
  readonly first: number;
  readonly last: number;
  readonly highest: number;
  /** Growth by least squares. */
  readonly perHour: number;
  /** Why it is a violation, or null. */
  readonly problem: string | null;
}

/** A judged table. */
export interface TableTrend {
  readonly table: string;
  /** Rows at the start, after the first ten minutes, and at the end. */
  readonly rows: readonly [number, number, number];
  /** Its size at the end. */
  readonly bytes: number;
  /** Rows per 100 requests in the first ten minutes, and after them. */
  readonly per100: readonly [number, number];
  readonly problem: string | null;
}

/** What was counted at one time. */
export interface Census {
  readonly tables: readonly TableSize[];
  /** How many requests the clients had sent. */
  readonly requests: number;
}

/** Judges a series by what came after the first ten minutes, or after a third of a shorter run. */
export function judgeSeries({ of, measure, points }: Series): Trend {
  const end = points.at(-1)?.minutes ?? 0;
  const settled = points.filter(({ minutes }) => minutes >= Math.min(warmUpMinutes, end / 3));
  const values = settled.map(({ value }) => value);
  const trend = {
    of,
    measure,
    ...lowestAtEnds(settled, Math.min(10, end / 6)),
    highest: Math.max(...values),
    perHour: slopePerHour(settled),
  };
  return { ...trend, problem: problemOf(trend, settled) };
}

function problemOf(
  { of, measure, first, last, perHour }: Omit<Trend, 'problem'>,
  points: readonly Point[],
): string | null {
  if (shownOnly.has(measure)) return null;
  if ((points.at(-1)?.minutes ?? 0) - (points[0]?.minutes ?? 0) < leastMinutes) return null;
  const most = mostPerHour[measure];
  if (most === undefined) {
    const allowed = Math.max(tolerance.count, first * tolerance.share);
    return last - first > allowed ? `${of}: ${measure} grew from ${first} to ${last}` : null;
  }
  return perHour > most ? `${of}: ${measure} grew by ${perHour.toFixed(1)} MB per hour; ${most} are allowed` : null;
}

/** Judges every table by its plan. A table without a plan is a violation. */
export function judgeTables(
  [start, warm, end]: readonly [Census, Census, Census],
  plans: Readonly<Record<string, TablePlan>>,
): TableTrend[] {
  const rowsIn = ({ tables }: Census, table: string) => tables.find((each) => each.table === table)?.rows ?? 0;
  return end.tables.map(({ table, bytes }) => {
    const rows = [rowsIn(start, table), rowsIn(warm, table), rowsIn(end, table)] as const;
    const per100 = [
      (100 * (rows[1] - rows[0])) / Math.max(1, warm.requests - start.requests),
      (100 * (rows[2] - rows[1])) / Math.max(1, end.requests - warm.requests),
    ] as const;
    const trend = { table, rows, bytes, per100 };
    return { ...trend, problem: problemOfTable(trend, plans[table]) };
  });
}

function problemOfTable({ table, rows, per100 }: Omit<TableTrend, 'problem'>, plan?: TablePlan): string | null {
  if (!plan) return `${table}: has no plan; add it to table-plan.ts`;
  const [, warm, end] = rows;
  if ('most' in plan) {
    const most = Math.max(...rows);
    return most > plan.most ? `${table}: has ${most} rows; the plan says at most ${plan.most}` : null;
  }
  const [before, after] = per100;
  return end - warm > fewRows && after > before * mostAcceleration
    ? `${table}: grew by ${after.toFixed(1)} rows per 100 requests, before by ${before.toFixed(1)}`
    : null;
}
