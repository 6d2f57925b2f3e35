import {
  maximumReportRows,
  runStatuses,
  type FilterSet,
  type ReportGrouping,
  type ReportMetric,
  type ReportResult,
} from '@runward/contract';
import type { Kysely } from 'kysely';
import type { Em } from '../database/database.ts';
import { inSnapshot } from '../database/in-snapshot.ts';
import type { Tables } from '../database/tables.ts';
import type { RunScope } from '../runs/queries/run-conditions.ts';
import { bucketsOf } from './buckets.ts';
import { presentFigures } from './present-figures.ts';
import { countBy, readFiguresBy, type Counts, type CycleTime } from './queries/figures.ts';
import { namesOf } from './queries/names.ts';
import type { Division, Population } from './queries/population.ts';
import { countOverdueTasksBy } from './queries/tasks.ts';
import { rangeOf, type Range } from './range.ts';

/** One figure of the runs that were launched in a period and match filters, and how it is divided. */
export interface Report {
  readonly metric: ReportMetric;
  readonly filters: FilterSet;
  readonly groupBy: ReportGrouping;
  /** See {@link reportRange}. */
  readonly range: Range;
}

/** The period of a report's filters; by default the 30 days up to today. Throws a 400 if it is reversed or too long. */
export function reportRange({ createdFrom, createdTo }: FilterSet, timeZone: string, now: Date): Range {
  return rangeOf({ from: createdFrom, to: createdTo }, timeZone, now);
}

/**
 * The rows of a report, with the same figures as analytics. If divided by time, figures of completed runs are by the
 * time of completion, and all others by the time of launch. Must not be called in a transaction. The ids in the filters
 * are not checked (see `ensureFilterSet`).
 */
export async function reportFigures(em: Em, scope: RunScope, report: Report): Promise<ReportResult> {
  const { metric, filters, groupBy, range } = report;
  const population = { scope, filter: filters, range };
  return inSnapshot(em, async (db) => {
    if (groupBy === 'NONE' || groupBy === 'STATUS') {
      const values = await valuesBy(db, population, metric, groupBy);
      const shown = runStatuses.filter((status) => filters.statuses?.includes(status) ?? true);
      const keys = groupBy === 'NONE' ? ['ALL'] : shown;
      return {
        rows: keys.map((key) => ({ key, label: labels[key] ?? key, value: values.get(key) ?? nothing(metric) })),
      };
    }
    if (groupBy === 'TEMPLATE' || groupBy === 'OWNER') {
      const values = [...(await valuesBy(db, population, metric, groupBy))].sort(byValue).slice(0, maximumReportRows);
      const table = groupBy === 'TEMPLATE' ? 'templates' : 'users';
      const ids = values.map(([key]) => String(key));
      const names = await namesOf(db, table, scope.organizationId, ids);
      return {
        rows: values.map(([key, value]) => ({ key: String(key), label: names.get(String(key)) ?? '', value })),
      };
    }
    const buckets = bucketsOf(range, groupBy, scope.timeZone);
    const by = ofCompleted.has(metric) ? 'completedAt' : 'createdAt';
    const values = await valuesBy(db, population, metric, { by, buckets });
    return {
      rows: buckets.keys.map((key, index) => ({ key, label: key, value: values.get(index + 1) ?? nothing(metric) })),
    };
  });
}

const labels: Readonly<Record<string, string>> = {
  ALL: 'All runs',
  RUNNING: 'Running',
  OVERDUE: 'Overdue',
  COMPLETED: 'Completed',
  CANCELLED: 'Cancelled',
};

/** The figures that are only about completed runs. */
const ofCompleted: ReadonlySet<ReportMetric> = new Set([
  'COMPLETED_RUNS',
  'ON_TIME_RATE',
  'CYCLE_TIME_MEDIAN',
  'CYCLE_TIME_AVERAGE',
]);

type Values = ReadonlyMap<string | number | null, number | null>;

async function valuesBy(
  db: Kysely<Tables>,
  population: Population,
  metric: ReportMetric,
  division: Division,
): Promise<Values> {
  if (metric === 'OVERDUE_TASKS') {
    const parts = await countOverdueTasksBy(db, population, division);
    return new Map(parts.map(({ key, count }) => [key, count]));
  }
  const isCycleTime = metric === 'CYCLE_TIME_MEDIAN' || metric === 'CYCLE_TIME_AVERAGE';
  const parts = await (isCycleTime ? readFiguresBy : countBy)(db, population, division);
  return new Map(parts.map((part) => [part.key, valueOf(metric, { ...noCycleTime, ...part })]));
}

const noCycleTime: CycleTime = { average: null, quantiles: null };

function valueOf(metric: Exclude<ReportMetric, 'OVERDUE_TASKS'>, figures: Counts & CycleTime): number | null {
  const { total, byStatus, completionRate, onTimeRate, cycleTimeSeconds } = presentFigures(figures);
  switch (metric) {
    case 'RUNS':
      return total;
    case 'COMPLETED_RUNS':
      return byStatus.COMPLETED;
    case 'COMPLETION_RATE':
      return completionRate;
    case 'ON_TIME_RATE':
      return onTimeRate;
    case 'CYCLE_TIME_MEDIAN':
      return cycleTimeSeconds.median;
    case 'CYCLE_TIME_AVERAGE':
      return cycleTimeSeconds.average;
  }
}

/** The value of a part without runs. */
function nothing(metric: ReportMetric): number | null {
  return metric === 'RUNS' || metric === 'COMPLETED_RUNS' || metric === 'OVERDUE_TASKS' ? 0 : null;
}

/** Orders the highest values first, and entries without a value last. */
function byValue([oneKey, one]: [unknown, number | null], [otherKey, other]: [unknown, number | null]): number {
  const order = (other ?? -1) - (one ?? -1);
  return order === 0 ? (String(oneKey) < String(otherKey) ? -1 : 1) : order;
}
