import type { Parts } from '@runward/contract';
import type { Handlers } from '../access/handler.ts';
import { recordExport } from '../audit-log/record-export.ts';
import { csvOf, type Column } from '../csv.ts';
import { instant, instantOrNull } from '../database/instant.ts';
import { ensureFilter } from '../runs/lists/ensure-filter.ts';
import { displayFor } from '../runs/read/display.ts';
import { findRun } from '../runs/read/find-run.ts';
import { readRuns, type ExportedRun } from './queries/read-runs.ts';
import { linesOf, nameLines, runColumns } from './run-csv.ts';
import { runPdf } from './run-pdf.ts';

/** The columns of the run list, with names beside ids. */
const columns: readonly Column<ExportedRun>[] = [
  { header: 'id', value: ({ id }) => id },
  { header: 'publicId', value: ({ publicId }) => publicId },
  { header: 'title', value: ({ title }) => title },
  { header: 'status', value: ({ status }) => status },
  { header: 'templateId', value: ({ templateId }) => templateId },
  { header: 'templateName', value: ({ templateName }) => templateName },
  { header: 'ownerUserId', value: ({ ownerUserId }) => ownerUserId },
  { header: 'ownerName', value: ({ ownerName }) => ownerName },
  { header: 'scheduledDateLocal', value: ({ scheduledDateLocal }) => scheduledDateLocal },
  { header: 'createdAt', value: ({ createdAt }) => instant(createdAt) },
  { header: 'completedAt', value: ({ completedAt }) => instantOrNull(completedAt) },
  { header: 'cancelledAt', value: ({ cancelledAt }) => instantOrNull(cancelledAt) },
  { header: 'archivedAt', value: ({ archivedAt }) => instantOrNull(archivedAt) },
  { header: 'updatedAt', value: ({ updatedAt }) => instant(updatedAt) },
];

/** Exports of the run list and of single runs (spec: Runs, other operations). */
export const runExports: Handlers<Parts['runExports']> = {
  exportCsv: async ({ query, ...context }) => {
    const { em, actor } = context;
    await ensureFilter(context, query);
    const fileName = 'runs.csv';
    await recordExport(context, { action: 'runs.exported', fileName, filter: query });
    return {
      contentType: 'text/csv',
      fileName,
      content: (signal) => csvOf(columns, readRuns(em, actor, query, signal)),
    };
  },

  exportRunCsv: async ({ params, ...context }) => {
    const { state } = await findRun(context, params.id, { forms: true });
    const display = await displayFor(context, state, (names) => nameLines(state, names));
    return {
      contentType: 'text/csv',
      fileName: `${state.publicId}.csv`,
      content: () => csvOf(runColumns, linesOf(state, display)),
    };
  },

  exportRunPdf: async ({ params, ...context }) => {
    // The entries of the run are read later, when the PDF gets its turn.
    const { publicId } = (await findRun(context, params.id)).state;
    return {
      contentType: 'application/pdf',
      fileName: `${publicId}.pdf`,
      content: (signal) => runPdf(context, params.id, signal),
    };
  },
};
