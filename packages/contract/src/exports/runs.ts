import { z } from 'zod';
import type { Group } from '../endpoint.ts';
import { runFiltersOfAll } from '../runs/filters.ts';
import { stream } from '../transfer.ts';

/**
 * Exports of the run list and of single runs, part of the group `runs`. They are declared here because `exports` uses
 * features above runs.
 */
export const runExports = {
  exportCsv: {
    method: 'GET',
    path: '/runs/export/csv',
    access: 'runs:read',
    reads: 'replica',
    summary: 'Export the run list as CSV',
    description:
      'Streams all runs that match the filters, newest first, as RFC 4180 in UTF-8 with a header line. Timestamps are ISO 8601 in UTC. ' +
      'Text that a spreadsheet would interpret as a formula gets a leading apostrophe.',
    query: z.strictObject(runFiltersOfAll),
    errors: ['not_found'],
    response: stream('text/csv'),
  },
  exportRunCsv: {
    method: 'GET',
    path: '/runs/:id/export/csv',
    large: true,
    access: 'runs:read',
    reads: 'replica',
    summary: 'Export one run as CSV',
    description:
      'One table with everything that was entered, as RFC 4180 in UTF-8: a line for each visible field of each entry, by the position ' +
      'of the task, the age of the entry and the order of the form. A task without entries, and an entry of a task without fields, has ' +
      'one line whose other columns are empty. Columns: `runId`, `publicId`, `runTaskId`, `taskTitle`, `taskStatus`, `assigneeName` (a ' +
      'member or a group), `dueAt`, `taskCompletedAt`, `taskCompletedByName`, `executionEntryId`, `entryStatus`, `entryCreatedAt`, ' +
      '`entryCompletedAt`, `runTaskFieldId`, `fieldKey`, `fieldLabel`, `fieldType`, `value` (lists as JSON), `displayValue` (as people ' +
      'read it; files by name), `submittedAt`, `submittedByName`. Timestamps are ISO 8601 in UTC. Text that a spreadsheet would ' +
      'interpret as a formula gets a leading apostrophe; numbers do not.',
    response: stream('text/csv'),
  },
  exportRunPdf: {
    method: 'GET',
    path: '/runs/:id/export/pdf',
    large: true,
    access: 'runs:read',
    reads: 'replica',
    summary: 'Export one run as PDF',
    description:
      'A report to file or to hand to an auditor: the run, its visible tasks, what was entered in every entry, images and signatures, ' +
      'approvals with comments, and the audit trail with the head of its hash chain. The first 50 images are embedded; infected, ' +
      'missing and other files are named. The audit trail has at most the newest 10,000 lines. Times are in the time zone of the ' +
      'organization. Returns 429 with `Retry-After` if too many PDFs of the organization are waiting, and 500 if the report is too large for a PDF; ' +
      'export CSV then. The document is PDF/UA-1, or tagged PDF if it contains characters that no font has.',
    timeBudgetMs: 120_000,
    errors: ['pdf_failed'],
    response: stream('application/pdf'),
  },
} as const satisfies Group;
