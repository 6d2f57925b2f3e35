import type { ReportGrouping, ReportMetric } from '@runward/contract';
import {
  addDays,
  isActive,
  isPast,
  localDays,
  referenceFigures,
  type KnownRun,
  type Period,
} from './reference-figures.ts';

/** The values of a report by key, without the rows of nothing. */
export function referenceReport(
  all: readonly KnownRun[],
  { from, to, timeZone }: Period,
  metric: ReportMetric,
  groupBy: ReportGrouping,
): Map<string, number | null> {
  const dayOf = localDays(timeZone);
  const runs = all.filter(({ createdAt }) => dayOf(createdAt) >= from && dayOf(createdAt) <= to);
  const isOfCompleted = ['COMPLETED_RUNS', 'ON_TIME_RATE', 'CYCLE_TIME_MEDIAN', 'CYCLE_TIME_AVERAGE'].includes(metric);
  const timeOf = (run: KnownRun) => dayOf((isOfCompleted ? run.completedAt : run.createdAt) ?? '9999-01-01T00:00:00Z');
  const keyOf = (run: KnownRun): string => {
    const date = timeOf(run);
    switch (groupBy) {
      case 'NONE':
        return 'ALL';
      case 'STATUS':
        return run.status;
      case 'TEMPLATE':
        return run.templateId;
      case 'OWNER':
        return run.ownerUserId;
      case 'DAY':
        return date;
      case 'WEEK':
        return addDays(date, -((new Date(date).getUTCDay() + 6) % 7));
      case 'MONTH':
        return date.slice(0, 7);
    }
  };
  const isByTime = ['DAY', 'WEEK', 'MONTH'].includes(groupBy);
  const shown = isByTime ? runs.filter((run) => timeOf(run) <= to) : runs;
  return new Map([...Map.groupBy(shown, keyOf)].map(([key, part]) => [key, metricOf(part, metric)]));
}

function metricOf(runs: readonly KnownRun[], metric: ReportMetric): number | null {
  const { total, byStatus, completionRate, onTimeRate, cycleTimeSeconds } = referenceFigures(runs);
  switch (metric) {
    case 'RUNS':
      return total;
    case 'COMPLETED_RUNS':
      return byStatus['COMPLETED'] ?? 0;
    case 'COMPLETION_RATE':
      return completionRate;
    case 'ON_TIME_RATE':
      return onTimeRate;
    case 'CYCLE_TIME_MEDIAN':
      return cycleTimeSeconds.median;
    case 'CYCLE_TIME_AVERAGE':
      return cycleTimeSeconds.average;
    case 'OVERDUE_TASKS':
      return runs
        .filter(isActive)
        .flatMap(({ tasks }) => tasks)
        .filter(({ hidden, status, deadlineAt }) => !hidden && status !== 'COMPLETED' && isPast(deadlineAt)).length;
  }
}
