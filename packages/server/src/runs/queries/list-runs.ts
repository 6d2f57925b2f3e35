import { runStatuses, type Contract, type Response, type RunStatus } from '@runward/contract';
import { sql, type Kysely, type RawBuilder } from 'kysely';
import { jsonArrayFrom } from 'kysely/helpers/postgres';
import type { RequestContext } from '../../access/request-context.ts';
import type { Actor } from '../../access/actor.ts';
import type { Em } from '../../database/database.ts';
import { countAs } from '../../database/expressions.ts';
import { usableKey } from '../../organization/queries/find-api-key.ts';
import type { Tables } from '../../database/tables.ts';
import { runConditions, type RunFilter } from './run-conditions.ts';
import { areCounted, countersOf, sumOfCounters } from './run-counters.ts';
import { inOrder, type RunKey, type RunOrder } from './run-order.ts';

type RunCounts = Response<Contract['runs']['counts']>;

/** A run as lists show it; instants as PostgreSQL writes them. */
export interface RunListRow {
  readonly id: string;
  readonly publicId: string;
  readonly title: string;
  readonly status: RunStatus;
  readonly templateId: string;
  readonly ownerUserId: string;
  readonly scheduledDateLocal: string;
  readonly createdAt: string;
  readonly completedAt: string | null;
  readonly cancelledAt: string | null;
  readonly archivedAt: string | null;
  readonly updatedAt: string;
}

/** The columns of a list of runs (alias `run`). */
export const runListColumns = [
  'run.id',
  'run.public_id as publicId',
  'run.title',
  'run.status',
  'run.template_id as templateId',
  'run.owner_user_id as ownerUserId',
  'run.scheduled_date_local as scheduledDateLocal',
  'run.created_at as createdAt',
  'run.completed_at as completedAt',
  'run.cancelled_at as cancelledAt',
  'run.archived_at as archivedAt',
  'run.updated_at as updatedAt',
] as const;

/** The part of a list that is read: up to `limit` + 1 runs in an order, after a key. */
interface Part {
  readonly limit: number;
  readonly order: RunOrder;
  readonly after: RunKey | undefined;
}

/**
 * Runs in the caller's resource scope that match a filter, and the number of all of them. One statement, so that both are of the same
 * moment. Confirms the key of the request.
 */
export async function listRuns(
  { em, actor, keyCheck }: Pick<RequestContext, 'em' | 'actor' | 'keyCheck'>,
  filter: RunFilter,
  part: Part,
): Promise<{ rows: RunListRow[]; total: number }> {
  const db = em.getKysely();
  const { limit, order, after } = part;
  const page = inOrder(runsOf(db, actor, filter), order, after)
    .select(runListColumns)
    .limit(limit + 1);
  const list = await db
    .with('page', () => page)
    .selectNoFrom((eb) => [
      totalOf(db, actor, filter, part).as('total'),
      jsonArrayFrom(eb.selectFrom('page').selectAll()).as('rows'),
      usableKey(keyCheck.hash).as('usableKey'),
    ])
    .executeTakeFirstOrThrow();
  keyCheck.confirm(list.usableKey);
  return list;
}

/** The number of runs, next to the query `page`. Runs are counted only if neither the counters nor the page tell. */
function totalOf(db: Kysely<Tables>, actor: Actor, filter: RunFilter, { limit, after }: Part): RawBuilder<number> {
  if (areCounted(filter)) return sql`${countersOf(db, actor, filter).select(sumOfCounters.as('total'))}`;
  const counted = runsOf(db, actor, filter).select(countAs('total'));
  if (after !== undefined) return sql`${counted}`;
  const inPage = sql`(select count(*) from page)`;
  return sql`case when ${inPage} <= ${limit} then ${inPage} else ${counted} end`;
}

/** The runs in the caller's resource scope that match a filter, by status. */
export async function countRuns(em: Em, actor: Actor, filter: RunFilter): Promise<RunCounts> {
  const db = em.getKysely();
  const query = areCounted(filter)
    ? countersOf(db, actor, filter).select(['run.status', sumOfCounters.as('count')])
    : runsOf(db, actor, filter).select(['run.status', countAs('count')]);
  const rows = await query.groupBy('run.status').execute();
  const counts = new Map(rows.map(({ status, count }) => [status, count]));
  const [RUNNING = 0, OVERDUE = 0, COMPLETED = 0, CANCELLED = 0] = runStatuses.map((status) => counts.get(status));
  return { RUNNING, OVERDUE, COMPLETED, CANCELLED, total: RUNNING + OVERDUE + COMPLETED + CANCELLED };
}

function runsOf(db: Kysely<Tables>, actor: Actor, filter: RunFilter) {
  return db.selectFrom('runs as run').where(runConditions(actor, filter));
}
