import type { Total } from '@runward/contract';
import { sql } from 'kysely';
import type { Actor } from '../../access/actor.ts';
import { rowsInScope } from '../../access/resource-scope/filters.ts';
import type { Em } from '../../database/database.ts';
import { countUpTo } from '../../database/expressions.ts';
import { totalWithin, type CountLimit } from '../../paging.ts';
import { RunFile } from '../entities/run-file.ts';

/** Which files to list. */
export interface FileFilter {
  readonly executionEntryId?: string | undefined;
  readonly runTaskFieldId?: string | undefined;
  readonly runId?: string | undefined;
}

/**
 * Up to `limit` + 1 files that values name, in the caller's resource scope, newest first, before the file `before`, and
 * the number of all of them.
 */
export async function listFiles(
  em: Em,
  actor: Actor,
  { executionEntryId, runTaskFieldId, runId }: FileFilter,
  { limit, before, most }: { limit: number; before: string | undefined; most: CountLimit },
): Promise<{ rows: RunFile[]; total: Total }> {
  const db = em.getKysely();
  let attached = db
    .selectFrom('files as file')
    .innerJoin('runs as run', (join) =>
      join.onRef('run.organization_id', '=', 'file.organization_id').onRef('run.id', '=', 'file.run_id'),
    )
    .innerJoin('entries as entry', (join) =>
      join.onRef('entry.organization_id', '=', 'file.organization_id').onRef('entry.id', '=', 'file.entry_id'),
    )
    .innerJoin('field_values as value', (join) =>
      join
        .onRef('value.organization_id', '=', 'file.organization_id')
        .onRef('value.entry_id', '=', 'file.entry_id')
        .onRef('value.run_task_field_id', '=', 'file.run_task_field_id'),
    )
    .where('file.organization_id', '=', actor.organizationId)
    .where(rowsInScope('run', actor))
    .where('file.status', '=', 'STORED')
    .where('entry.discarded_at', 'is', null)
    .where(sql<boolean>`${sql.ref('value.value')} @> to_jsonb(${sql.ref('file.id')}::text)`);
  if (executionEntryId !== undefined) attached = attached.where('file.entry_id', '=', executionEntryId);
  if (runTaskFieldId !== undefined) attached = attached.where('file.run_task_field_id', '=', runTaskFieldId);
  if (runId !== undefined) attached = attached.where('file.run_id', '=', runId);
  const { total } = await db.selectNoFrom(countUpTo(attached, most).as('total')).executeTakeFirstOrThrow();
  const ids = await (before === undefined ? attached : attached.where('file.id', '<', before))
    .select('file.id')
    .orderBy('file.id', 'desc')
    .limit(limit + 1)
    .execute();
  const { organizationId } = actor;
  const rows = await em.find(
    RunFile,
    { organizationId, id: { $in: ids.map(({ id }) => id) } },
    { orderBy: { id: 'desc' } },
  );
  return { rows, total: totalWithin(most, total) };
}
