import type { Limits, Page, RunSort } from '@runward/contract';
import type { RequestContext } from '../../access/request-context.ts';
import { shareRead } from '../../database/batch.ts';
import { instant, instantOrNull } from '../../database/instant.ts';
import { countLimit, decodeCursor, pageOf, type BoundedPaging } from '../../paging.ts';
import { Rendered } from '../../rendered.ts';
import { listRuns, type RunListRow } from '../queries/list-runs.ts';
import type { RunFilter } from '../queries/run-conditions.ts';
import { orderOf, type RunKey, type RunOrder } from '../queries/run-order.ts';

/**
 * A page of the runs in the caller's resource scope: newest first, in the order of their changes, or in the requested
 * order. All lists of runs use it.
 */
export async function pageOfRuns(
  context: Pick<RequestContext, 'em' | 'actor'> & { readonly ports: { readonly limits: Limits } },
  { limit, cursor, total: mode, sort, ...filter }: BoundedPaging & RunFilter & { readonly sort?: RunSort | undefined },
) {
  const order = orderOf({ sort, updatedAfter: filter.updatedAfter });
  const after = cursor === undefined ? undefined : keyOf(cursor, order);
  const most = countLimit({ limit, total: mode }, context.ports.limits);
  const { em, actor } = context;
  const { organizationId, timeZone, resourceScope } = actor;
  const question = ['runs', organizationId, timeZone, resourceScope, filter, limit, order, after, most];
  return shareRead(em, question, async () => {
    const read = await listRuns(context, filter, { limit, order, after, most });
    const page = pageOf({ ...read, limit }, presentRunLine, (row) =>
      order.property === 'createdAt' ? [row.id] : [valueOf(row, order.property), row.id],
    ) satisfies Page<unknown>;
    return { ...page, data: new Rendered(page.data) };
  });
}

/** The types of the values in a cursor. */
const kinds = { updatedAt: 'instant', scheduledDateLocal: 'date', title: 'text' } as const;

function keyOf(cursor: string, { property }: RunOrder): RunKey {
  if (property === 'createdAt') return { id: decodeCursor(cursor, 'id')[0], value: null };
  const [value, id] = decodeCursor(cursor, kinds[property], 'id');
  return { id, value };
}

function valueOf(row: RunListRow, property: keyof typeof kinds): string {
  return property === 'updatedAt' ? instant(row.updatedAt) : row[property];
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
