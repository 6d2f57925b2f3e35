import { collectFiles } from '../history/collect-files.ts';
import { collect, query } from '../history/collect.ts';
import { runCheck } from '../history/run-check.ts';
import type { AtRest, RowCount } from './check-at-rest.ts';

/** Reads what can be checked of a database and its data folder on which no service runs. Changes nothing. */
export async function collectAtRest(databaseUrl: string, dataDir: string): Promise<AtRest> {
  const check = <Report>(...args: string[]) => runCheck<Report>(databaseUrl, dataDir, ...args);
  const auditLogs: AtRest['auditLogs'][number][] = [];
  for (const { id } of await query<{ id: string }>(databaseUrl, 'select id from organizations')) {
    const { problem } = await check<{ problem: { message: string } | null }>('audit', id, '--verify');
    auditLogs.push({ organizationId: id, problem: problem?.message ?? null });
  }
  return {
    ...(await collect(databaseUrl)),
    ...(await collectFiles(databaseUrl, dataDir)),
    counters: (await check<{ differences: AtRest['counters'] }>('counters', 'check')).differences,
    store: await check<AtRest['store']>('files', 'check', '--recent'),
    rowCounts: await query<RowCount>(databaseUrl, rowCounts),
    auditLogs,
  };
}

const rowCounts = `
  select source.id, source.row_count as "rowCount", source.active_row_count as "activeRowCount",
    count(item.id)::int as rows, (count(item.id) filter (where item.active))::int as "activeRows"
  from data_sources source
  left join data_source_rows item on item.organization_id = source.organization_id and item.data_source_id = source.id
  group by source.organization_id, source.id`;
