import { z } from 'zod';
import { reportGrouping, reportMetric } from '../analytics/report.ts';
import { component } from '../component.ts';
import { filterSet } from '../runs/filters.ts';

/** One figure of runs, and how it is shown. */
export const report = component(
  'Report',
  'One figure of runs, and how it is shown. `createdFrom` and `createdTo` of its filters are its period: at most ten years, by default the 30 ' +
    'days up to today.',
  {
    metric: reportMetric.describe(
      'The figure, defined as in analytics. Rates are fractions, cycle times are in seconds.',
    ),
    filters: filterSet,
    groupBy: reportGrouping.describe('How the rows are grouped; NONE returns a single row.'),
    chart: z
      .enum(['NUMBER', 'BAR', 'LINE', 'TABLE'])
      .meta({ id: 'ReportChart', description: 'How a report is drawn.' })
      .describe('How it is drawn. Does not change its figures.'),
  },
);

/** One figure of runs, and how it is shown. */
export type Report = z.output<typeof report>;
