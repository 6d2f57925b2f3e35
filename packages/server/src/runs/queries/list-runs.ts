import { runStatuses, type Contract, type Response, type RunStatus } from '@runward/contract';
import { expressionBuilder } from 'kysely';
import { jsonArrayFrom } from 'kysely/helpers/postgres';
import type { Actor } from '../../access/actor.ts';
import type { Em } from '../../database/database.ts';
import { countAs } from '../../database/expressions.ts';
import type { Tables } from '../../database/tables.ts';
import { runConditions, type RunFilter } from './run-conditions.ts';
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

/** Up to `limit` + 1 runs in the caller's resource scope in an order, after a key, and the number of all of them. One statement. */
export async function listRuns(
  em: Em,
  actor: Actor,
  filter: RunFilter,
  { limit, order, after }: { limit: number; order: RunOrder; after: RunKey | undefined },
): Promise<{ rows: RunListRow[]; total: number }> {
  const runs = expressionBuilder<Tables>().selectFrom('runs as run').where(runConditions(actor, filter));
  const page = inOrder(runs, order, after)
    .select(runListColumns)
    .limit(limit + 1);
  return em
    .getKysely()
    .selectNoFrom([runs.select(countAs('total')).$asScalar().$notNull().as('total'), jsonArrayFrom(page).as('rows')])
    .executeTakeFirstOrThrow();
}

/** The runs in the caller's resource scope that match a filter, by status. */
export async function countRuns(em: Em, actor: Actor, filter: RunFilter): Promise<RunCounts> {
  const rows = await em
    .getKysely()
    .selectFrom('runs as run')
    .where(runConditions(actor, filter))
    .select(['run.status', countAs('count')])
    .groupBy('run.status')
    .execute();
  const counts = new Map(rows.map(({ status, count }) => [status, count]));
  const [RUNNING = 0, OVERDUE = 0, COMPLETED = 0, CANCELLED = 0] = runStatuses.map((status) => counts.get(status));
  return { RUNNING, OVERDUE, COMPLETED, CANCELLED, total: RUNNING + OVERDUE + COMPLETED + CANCELLED };
}
