import type { ReportGrouping, ReportMetric } from '@runward/contract';
import { duration, percent } from '@runward/engine';
import { axisTo, type Axis } from '../../analytics/axis.ts';
import { shortTimes } from '../../short-times.ts';

const counts = new Intl.NumberFormat('en');
const months = new Intl.DateTimeFormat('en-GB', { month: 'short', year: 'numeric', timeZone: 'UTC' });

type Kind = 'count' | 'rate' | 'time';

function kindOf(metric: ReportMetric): Kind {
  if (metric.endsWith('_RATE')) return 'rate';
  return metric.startsWith('CYCLE_TIME') ? 'time' : 'count';
}

/** Writes figures of a metric as text; a dash if there is none. */
export function formatOf(metric: ReportMetric): (value: number | null) => string {
  switch (kindOf(metric)) {
    case 'rate':
      return percent;
    case 'time':
      return duration;
    case 'count':
      return (value) => (value === null ? '–' : counts.format(value));
  }
}

/** Writes what a row is about as text: days and months as dates, names as they are. */
export function labelOf(groupBy: ReportGrouping): (label: string) => string {
  const days = shortTimes('UTC');
  if (groupBy === 'DAY' || groupBy === 'WEEK') return (day) => days.short(day, false);
  return groupBy === 'MONTH' ? (month) => months.format(new Date(month)) : (name) => name;
}

const units = [86_400, 3_600, 60, 1];

/** The axis for values of a metric up to `most`, with marks at round values. */
export function axisOf(metric: ReportMetric, most: number): Axis {
  if (kindOf(metric) === 'rate') return { top: 1, marks: [0, 0.5, 1] };
  return axisTo(most, kindOf(metric) === 'time' ? units.find((each) => most >= each) : 1);
}
