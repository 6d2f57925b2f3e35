import { maximumYears, type Report } from '@runward/contract';
import type { RequestContext } from '../access/request-context.ts';
import { reportRange } from '../analytics/report-figures.ts';
import { ApiError } from '../api-error.ts';
import { checkFilterSet, type CheckedFilterSet } from '../runs/lists/ensure-filter-set.ts';

/** Finds every problem of the filters and the period of a report, with `path` before its properties. */
export async function checkReport(
  context: Pick<RequestContext, 'em' | 'actor' | 'now'>,
  { filters }: Report,
  path: string,
): Promise<CheckedFilterSet> {
  const checked = await checkFilterSet(context, filters, `${path}filters.`);
  if (periodOf(filters, context.actor.timeZone, context.now) || checked.problems.length > 0) return checked;
  const rule = `must be at most ${maximumYears} years before createdTo and not after it`;
  const problem = `${path}filters.createdFrom: ${rule}; createdTo is today unless it is given`;
  return { ...checked, problems: [problem] };
}

/** The current period of a report's filters; null if it is invalid. Without both ends, it moves with the days. */
export function periodOf(filters: Report['filters'], timeZone: string, now: Date) {
  try {
    return reportRange(filters, timeZone, now);
  } catch (error) {
    if (error instanceof ApiError) return null;
    throw error;
  }
}
