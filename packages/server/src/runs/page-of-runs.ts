import type { Page } from '@runward/contract';
import { instant, instantOrNull } from '../database/instant.ts';
import { listRuns, type RunFilter } from './queries/list-runs.ts';
import type { RequestContext } from '../access/request-context.ts';
import { decodeCursor, pageOf, type Paging } from '../paging.ts';

/** A page of the runs a caller reaches, newest first; shared by GET /runs and GET /templates/:id/runs. */
export async function pageOfRuns({ em, actor }: RequestContext, { limit, cursor, ...filter }: Paging & RunFilter) {
  const after = cursor === undefined ? undefined : decodeCursor(cursor, 'id')[0];
  const { rows, total } = await listRuns(em, actor, filter, { limit, after });
  return pageOf(
    rows,
    limit,
    total,
    (row) => ({ ...row, createdAt: instant(row.createdAt), completedAt: instantOrNull(row.completedAt) }),
    ({ id }) => [id],
  ) satisfies Page<unknown>;
}
