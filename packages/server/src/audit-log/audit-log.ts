import type { Parts } from '@runward/contract';
import type { Handlers } from '../access/handler.ts';
import { csvOf } from '../csv.ts';
import { countLimit, decodeCursor, pageOf } from '../paging.ts';
import { lineColumns } from './line-columns.ts';
import { presentLine, type PresentedLine } from './present-line.ts';
import { listLines, readLines, type AuditRow } from './queries/list-lines.ts';
import { recordExport } from './record-export.ts';

/** What was done to administer the organization (decision 0078). */
export const auditLog: Handlers<Parts['auditLog']> = {
  list: async ({ em, actor: { organizationId }, query: { limit, cursor, total: mode, ...filter }, ports }) => {
    const before = cursor === undefined ? undefined : decodeCursor(cursor, 'number')[0];
    const most = countLimit({ limit, total: mode }, ports.limits);
    const bytes = ports.limits.pageBytes;
    const page = await listLines(em, organizationId, filter, { limit, bytes, before, most });
    return pageOf(page, presentLine, ({ sequence }) => [sequence]);
  },

  export: async ({ query, ...context }) => {
    const { em, actor } = context;
    const fileName = 'audit-log.csv';
    await recordExport(context, { action: 'audit_log.exported', fileName, filter: query });
    return {
      contentType: 'text/csv',
      fileName,
      content: (signal) => csvOf(lineColumns, presented(readLines(em, actor.organizationId, query, signal))),
    };
  },
};

async function* presented(batches: AsyncIterable<readonly AuditRow[]>): AsyncGenerator<readonly PresentedLine[]> {
  for await (const rows of batches) yield rows.map(presentLine);
}
