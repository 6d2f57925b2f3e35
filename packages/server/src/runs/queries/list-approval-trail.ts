import { sql } from 'kysely';
import type { Em } from '../../database/database.ts';
import { countAs } from '../../database/expressions.ts';
import { instant } from '../../database/instant.ts';
import { readWithin, type Fitting, type PageSize } from '../../database/read-within.ts';

const trailTypes = ['approval.requested', 'approval.granted', 'approval.rejected', 'approval.invalidated'] as const;

/** A fact about the approval of a task, and who caused it. */
export interface TrailRow {
  readonly id: string;
  readonly sequence: number;
  readonly type: (typeof trailTypes)[number];
  readonly at: string;
  readonly actorUserId: string | null;
  readonly entryId: string;
  readonly comment: string | null;
}

/**
 * A page of the facts about a task's approval before a sequence number, newest first, and the number of all of them.
 */
export async function listApprovalTrail(
  em: Em,
  { organizationId, runId, taskId }: { organizationId: string; runId: string; taskId: string },
  { before, ...size }: PageSize & { readonly before: number | undefined },
): Promise<Fitting<TrailRow> & { readonly total: number }> {
  const facts = em
    .getKysely()
    .selectFrom('activity')
    .where('organization_id', '=', organizationId)
    .where('run_id', '=', runId)
    .where('type', 'in', trailTypes)
    .where(({ eb, ref }) => eb(sql<string>`${ref('data')} ->> 'runTaskId'`, '=', taskId));
  const { total } = await facts.select(countAs('total')).executeTakeFirstOrThrow();
  const rest = before === undefined ? facts : facts.where('sequence', '<', before);
  const query = rest
    .select(['id', 'sequence', 'type', 'at', 'actor_user_id as actorUserId', 'data'])
    .orderBy('sequence', 'desc')
    .limit(size.limit + 1);
  const { rows, limit } = await readWithin(em, query, size);
  return {
    total,
    limit,
    rows: rows.map(({ id, sequence, actorUserId, at, type, data }) => {
      const { entryId, comment = null } = data as { entryId: string; comment?: string | null };
      return { id, sequence, type: type as TrailRow['type'], at: instant(at), actorUserId, entryId, comment };
    }),
  };
}
