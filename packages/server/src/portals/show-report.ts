import type { Report } from '@runward/contract';
import { reportFigures } from '../analytics/report-figures.ts';
import type { Em } from '../database/database.ts';
import type { RunScope } from '../runs/queries/run-conditions.ts';
import { periodOf } from './check-report.ts';
import type { Portal } from './entities/portal.ts';

/**
 * The current figures of a report. Strangers may read them: they have no ids, and no members while the portal is
 * PUBLIC.
 */
export async function showReport(
  em: Em,
  scope: RunScope,
  { metric, filters, groupBy, chart }: Report,
  { now, audience }: { readonly now: Date; readonly audience: Portal['audience'] },
) {
  const period = periodOf(filters, scope.timeZone, now);
  const notices: ('PERIOD_INVALID' | 'OWNERS_HIDDEN')[] = [
    ...(period ? [] : (['PERIOD_INVALID'] as const)),
    ...(groupBy === 'OWNER' && audience === 'PUBLIC' ? (['OWNERS_HIDDEN'] as const) : []),
  ];
  const rows =
    period && notices.length === 0
      ? (await reportFigures(em, scope, { metric, filters, groupBy, range: period })).rows
      : null;
  return {
    metric,
    groupBy,
    chart,
    period,
    rows: rows?.map(({ label, value }) => ({ label, value })) ?? null,
    notices,
  };
}
