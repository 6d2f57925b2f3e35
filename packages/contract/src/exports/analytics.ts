import { analyticsQuery } from '../analytics/analytics.ts';
import type { Group } from '../endpoint.ts';
import { stream } from '../transfer.ts';

/**
 * Exports of analytics, part of the group `analytics`. They are declared here because `exports` uses features above
 * analytics.
 */
export const analyticsExports = {
  exportCsv: {
    method: 'GET',
    path: '/runs/analytics/export/csv',
    access: 'runs:read',
    reads: 'replica',
    summary: 'Export analytics as CSV',
    description:
      'Streams the figures of `GET /runs/analytics/advanced` as one table with the columns `section`, `name`, `metric` and `value`, as RFC ' +
      '4180 in UTF-8. A figure that is null is an empty cell. Text that a spreadsheet would interpret as a formula gets a leading apostrophe.',
    query: analyticsQuery,
    errors: ['not_found', 'query_too_large'],
    timeBudgetMs: 25_000,
    response: stream('text/csv'),
  },
  exportPdf: {
    method: 'GET',
    path: '/runs/analytics/export/pdf',
    access: 'runs:read',
    reads: 'replica',
    summary: 'Export analytics as PDF',
    description:
      'A report of the figures of `GET /runs/analytics/advanced`, compared with the preceding period of equal length: the key figures, a ' +
      'chart of the runs started and completed per day, and tables by template, owner, assignee, task and stalled run. Times are in the ' +
      'time zone of the organization. Returns 429 with `Retry-After` if too many PDFs of the organization are waiting, and 500 if the report takes too ' +
      'long; export CSV then. The document is PDF/UA-1, or tagged PDF if it contains characters that no font has.',
    query: analyticsQuery,
    errors: ['not_found', 'query_too_large', 'pdf_failed'],
    timeBudgetMs: 120_000,
    response: stream('application/pdf'),
  },
} as const satisfies Group;
