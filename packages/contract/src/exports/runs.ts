import { z } from 'zod';
import type { Group } from '../endpoint.ts';
import { runFilters } from '../runs/runs.ts';
import { stream } from '../transfer.ts';
import { id } from '../values.ts';

/** Exports of the run list; part of the group `runs`. */
export const runExports = {
  exportCsv: {
    method: 'GET',
    path: '/runs/export/csv',
    access: 'runs:read',
    summary: 'Export the run list as CSV',
    description:
      'RFC 4180 in UTF-8 with a header line, newest run first, all runs that match the filters. Text that a spreadsheet would take for ' +
      'a formula begins with an apostrophe. Timestamps are ISO 8601 in UTC.',
    query: z.strictObject({
      ...runFilters,
      templateId: id.optional().meta({ description: 'Only runs launched from this template.' }),
    }),
    status: 200,
    response: stream('text/csv'),
  },
} as const satisfies Group;
