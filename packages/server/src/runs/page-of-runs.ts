import type { Page } from '@runward/contract';
import { instant, instantOrNull } from '../database/instant.ts';
import { listRuns, type RunFilter, type RunKey, type RunListRow } from './queries/list-runs.ts';
import type { RequestContext } from '../access/request-context.ts';
import { decodeCursor, pageOf, type Paging } from '../paging.ts';

/** A page of the runs a caller reaches, newest first or in the order of their changes; shared by GET /runs and GET /templates/:id/runs. */
export async function pageOfRuns({ em, actor }: RequestContext, { limit, cursor, ...filter }: Paging & RunFilter) {
  const isByUpdate = filter.updatedAfter !== undefined;
  const after = cursor === undefined ? undefined : keyOf(cursor, isByUpdate);
  const { rows, total } = await listRuns(em, actor, filter, { limit, after });
  return pageOf(rows, limit, total, presentRunLine, ({ id, updatedAt }) =>
    isByUpdate ? [instant(updatedAt), id] : [id],
  ) satisfies Page<unknown>;
}

function keyOf(cursor: string, isByUpdate: boolean): RunKey {
  if (!isByUpdate) return { id: decodeCursor(cursor, 'id')[0] };
  const [updatedAt, id] = decodeCursor(cursor, 'instant', 'id');
  return { id, updatedAt };
}

function presentRunLine(row: RunListRow): RunListRow {
  return {
    ...row,
    createdAt: instant(row.createdAt),
    completedAt: instantOrNull(row.completedAt),
    cancelledAt: instantOrNull(row.cancelledAt),
    archivedAt: instantOrNull(row.archivedAt),
    updatedAt: instant(row.updatedAt),
  };
}
