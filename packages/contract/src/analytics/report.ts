import { z } from 'zod';
import { component } from '../component.ts';

/** The figures that a report can show. */
export const reportMetrics = [
  'RUNS',
  'COMPLETED_RUNS',
  'COMPLETION_RATE',
  'ON_TIME_RATE',
  'CYCLE_TIME_MEDIAN',
  'CYCLE_TIME_AVERAGE',
  'OVERDUE_TASKS',
] as const;

/** A figure that a report can show. */
export type ReportMetric = (typeof reportMetrics)[number];

/** How a report is grouped. NONE gives one row for everything. */
export const reportGroupings = ['NONE', 'STATUS', 'TEMPLATE', 'OWNER', 'DAY', 'WEEK', 'MONTH'] as const;

/** What a report has a row for. */
export type ReportGrouping = (typeof reportGroupings)[number];

/** The most rows of a report by template or owner. */
export const maximumReportRows = 100;

/** A figure that a report can show. */
export const reportMetric = z.enum(reportMetrics).meta({
  id: 'ReportMetric',
  description: 'A figure of runs. Rates are fractions, cycle times are in seconds.',
});

/** What a report has a row for. */
export const reportGrouping = z.enum(reportGroupings).meta({
  id: 'ReportGrouping',
  description: 'How the rows of a report are grouped; NONE returns a single row.',
});

const reportRow = component('ReportRow', 'A row of a report.', {
  key: z
    .string()
    .describe(
      'What the row is about: `ALL`, a status, the id of a template or an owner, a day, the first day of a week, or a month like `2026-03`.',
    ),
  label: z.string().describe('The same for people: a name or a date.'),
  value: z.number().nullable().describe('The figure; null if there is nothing to compute it from.'),
});

/** The figures of a report. */
export const reportResult = component('ReportResult', 'The figures of a report.', {
  rows: z
    .array(reportRow)
    .describe(
      'Statuses in their fixed order; templates and owners by descending value, at most 100; days, weeks and months from the first to the ' +
        'last, without gaps.',
    ),
});

/** The figures of a report. */
export type ReportResult = z.output<typeof reportResult>;
