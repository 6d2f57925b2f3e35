import { searchKeys, type RunState, type SearchKey } from '@runward/engine';
import type { Em } from '../../database/database.ts';
import { loadSearchable } from '../../templates/load-document.ts';
import { SearchableValue } from '../entities/searchable-value.ts';
import { tableOf, type Row } from './table.ts';
import { insert, type Parameter } from './write.ts';

const table = tableOf(SearchableValue);

/** A change of a run, and the published version of its template, which says what is searchable. */
interface Change {
  readonly before: RunState | null;
  readonly after: RunState;
  readonly publishedVersionId: string | null;
}

/** SQL that writes the values by which the runs in `saved` are found, as far as they have changed. */
export async function writeSearchable(
  $: Parameter,
  em: Em,
  organizationId: string,
  changes: readonly Change[],
): Promise<string[]> {
  const written: Row<typeof SearchableValue>[] = [];
  const gone: Place[] = [];
  for (const { before, after, publishedVersionId } of changes) {
    const sources = await loadSearchable(em, organizationId, publishedVersionId);
    if (sources.length === 0) continue;
    const was = new Map(before ? searchKeys(before, sources).map((key) => [nameOf(key), key]) : []);
    for (const key of searchKeys(after, sources)) {
      const old = was.get(nameOf(key));
      was.delete(nameOf(key));
      if (old?.text !== key.text || old.number !== key.number)
        written.push({ organizationId, runId: after.id, ...key });
    }
    for (const { source, position } of was.values()) gone.push({ runId: after.id, source, position });
  }
  return [...remove($, gone), ...put($, written)];
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

function nameOf({ source, position }: SearchKey): string {
  return `${position} ${source}`;
}
