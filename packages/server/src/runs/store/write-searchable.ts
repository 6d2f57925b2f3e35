import { searchKeys, type RunState, type SearchKey } from '@runward/engine';
import type { Em } from '../../database/database.ts';
import { loadSearchable } from '../../templates/load-document.ts';
import { SearchableValue } from '../entities/searchable-value.ts';
import { unreadSource } from '../queries/search/unread-runs.ts';
import { tableOf, type Row } from './table.ts';
import { insert, type Parameter, type Part } from './write.ts';

const table = tableOf(SearchableValue);

/** A change of a run, and the published version of its template, which says what is searchable. */
interface Change {
  readonly before: RunState | null;
  readonly after: RunState;
  readonly publishedVersionId: string | null;
}

/**
 * SQL that writes the values by which the runs in `saved` are found, as far as they have changed, and all of them for a
 * run that could not be read when they became searchable.
 */
export async function writeSearchable(
  $: Parameter,
  em: Em,
  organizationId: string,
  changes: readonly Change[],
): Promise<(Part | string)[]> {
  const written: Row<typeof SearchableValue>[] = [];
  const kept: Row<typeof SearchableValue>[] = [];
  const gone: Place[] = [];
  let isSearchable = false;
  for (const { before, after, publishedVersionId } of changes) {
    const sources = await loadSearchable(em, organizationId, publishedVersionId);
    if (sources.length === 0) continue;
    isSearchable = true;
    const was = new Map(before ? searchKeys(before, sources).map((key) => [nameOf(key), key]) : []);
    for (const key of searchKeys(after, sources)) {
      const old = was.get(nameOf(key));
      was.delete(nameOf(key));
      const isKept = old?.text === key.text && old.number === key.number;
      (isKept ? kept : written).push({ organizationId, runId: after.id, ...key });
    }
    for (const { source, position } of was.values()) gone.push({ runId: after.id, source, position });
  }
  return [...remove($, gone), ...put($, written), ...(isSearchable ? restore($, kept) : [])];
}

/** Where a value stands. */
interface Place extends Pick<SearchKey, 'source' | 'position'> {
  readonly runId: string;
}

function remove($: Parameter, gone: readonly Place[]): string[] {
  if (gone.length === 0) return [];
  return [
    `delete from ${table.name} old using saved, json_to_recordset(${$(JSON.stringify(gone))})
      as gone ("runId" uuid, source text, position int)
    where old.organization_id = saved.organization_id and old.run_id = saved.id and old.run_id = gone."runId"
      and old.source = gone.source and old.position = gone.position`,
  ];
}

function put($: Parameter, written: readonly Row<typeof SearchableValue>[]): string[] {
  return insert($, table, written).map(
    (sql) => `${sql} on conflict (organization_id, run_id, source, position)
      do update set text = excluded.text, number = excluded.number`,
  );
}

/** Writes what a run should have had already, if it could not be read. */
function restore($: Parameter, kept: readonly Row<typeof SearchableValue>[]): Part[] {
  return [
    {
      name: 'unread',
      sql: `delete from ${table.name} unread using saved
        where unread.organization_id = saved.organization_id and unread.run_id = saved.id and unread.source = '${unreadSource}'
        returning unread.organization_id, unread.run_id`,
    },
    {
      name: 'restored',
      sql: `insert into ${table.name} (organization_id, run_id, source, position, text, number)
        select unread.organization_id, unread.run_id, kept.source, kept.position, kept.text, kept.number
        from unread join json_to_recordset(${$(JSON.stringify(kept))})
          as kept ("runId" uuid, source text, position int, text text, number double precision) on kept."runId" = unread.run_id
        on conflict (organization_id, run_id, source, position) do nothing`,
    },
  ];
}

function nameOf({ source, position }: SearchKey): string {
  return `${position} ${source}`;
}
