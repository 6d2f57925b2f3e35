import { z } from 'zod';
import type { Group } from '../endpoint.ts';
import { runFilters } from '../runs/run.ts';
import { stream } from '../transfer.ts';
import { id } from '../values.ts';

/** Exports of the run list. Part of the group `runs`; declared in this folder because exports use features above runs. */
export const runExports = {
  exportCsv: {
    method: 'GET',
    path: '/runs/export/csv',
    access: 'runs:read',
    summary: 'Export the run list as CSV',
    description:
      'Streams all runs that match the filters, newest first, as RFC 4180 in UTF-8 with a header line. Timestamps are ISO 8601 in UTC. ' +
      'Text that a spreadsheet would interpret as a formula gets a leading apostrophe.',
    query: z.strictObject({
      ...runFilters,
      templateId: id
        .optional()
        .meta({ description: 'Only runs of this template; 404 or 403 if the caller cannot use it. Default: all.' }),
    }),
    errors: [404],
    status: 200,
    response: stream('text/csv'),
  },
} as const satisfies Group;
