import { z } from 'zod';
import type { Group } from '../endpoint.ts';
import { runFiltersOfAll } from '../runs/filters.ts';
import { stream } from '../transfer.ts';

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
    query: z.strictObject(runFiltersOfAll),
    errors: [404],
    status: 200,
    response: stream('text/csv'),
  },
} as const satisfies Group;
