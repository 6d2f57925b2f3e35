import type { Contract, Response } from '@runward/contract';
import { axisTo } from '../analytics/axis.ts';

type Days = Response<Contract['analytics']['summary']>['perDay'];

/** The maximum number of day names below the chart. */
const maximumLabels = 6;

/** The runs started and completed per day, as `documents/analytics.typ` draws them. `alt` describes the chart. */
export function chartOf(days: Days, date: (day: string) => string) {
  const started = days.map((day) => day.started);
  const completed = days.map((day) => day.completed);
  const { top, marks } = axisTo(started.concat(completed).reduce((one, other) => Math.max(one, other), 0));
  const every = Math.ceil(days.length / maximumLabels);
  return {
    started,
    completed,
    top,
    ticks: marks,
    labels: days.flatMap((day, index) =>
      index % every === 0 ? [{ at: index / days.length, text: date(day.date) }] : [],
    ),
    alt: `Chart of the runs per day from ${date(days[0]?.date ?? '')} to ${date(days.at(-1)?.date ?? '')}. ${altOf(days, 'started', date)} ${altOf(days, 'completed', date)}`,
  };
}

/** A description of one of the chart's numbers. */
function altOf(days: Days, name: 'started' | 'completed', date: (day: string) => string): string {
  const [first, ...others] = days;
  const sum = days.reduce((so, day) => so + day[name], 0);
  if (!first || sum === 0) return `${sum} ${name}.`;
  const peak = others.reduce((one, other) => (other[name] > one[name] ? other : one), first);
  return `${sum} ${name}, the most on one day ${peak[name]}, on ${date(peak.date)}.`;
}
