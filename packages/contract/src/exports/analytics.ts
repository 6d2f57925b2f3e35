import { analyticsQuery } from '../analytics/analytics.ts';
import type { Group } from '../endpoint.ts';
import { stream } from '../transfer.ts';

/** Exports of analytics. Part of the group `analytics`; declared in this folder because exports use features above analytics. */
export const analyticsExports = {
  exportCsv: {
    method: 'GET',
    path: '/runs/analytics/export/csv',
    access: 'runs:read',
    summary: 'Export analytics as CSV',
    description:
      'Streams the figures of `GET /runs/analytics/advanced` as one table with the columns `section`, `name`, `metric` and `value`, as RFC ' +
      '4180 in UTF-8. A figure that is null is an empty cell. Text that a spreadsheet would interpret as a formula gets a leading apostrophe.',
    query: analyticsQuery,
    errors: [404],
    timeBudgetMs: 25_000,
    status: 200,
    response: stream('text/csv'),
  },
} as const satisfies Group;
