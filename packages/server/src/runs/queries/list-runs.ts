import type { RunStatus } from '@runward/contract';
import { activeRunStatuses } from '@runward/engine';
import { expressionBuilder, sql, type SelectQueryBuilder } from 'kysely';
import { jsonArrayFrom } from 'kysely/helpers/postgres';
import type { Actor } from '../../access/actor.ts';
import { rowsInScope } from '../../access/resource-scope/filters.ts';
import type { Em } from '../../database/database.ts';
import { countAs } from '../../database/expressions.ts';
import type { Tables } from '../../database/tables.ts';

/** Which runs to list. Without `archived` archived runs are left out, unless `updatedAfter` is given: archiving is a change. */
export interface RunFilter {
  readonly templateId?: string | undefined;
  readonly status?: RunStatus | undefined;
  readonly scheduledDate?: string | undefined;
  readonly stalledForDays?: number | undefined;
  readonly archived: boolean;
  readonly updatedAfter?: string | undefined;
}

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

/** The last run of a page: its id, and `updatedAt` if the list is ordered by it. */
export interface RunKey {
  readonly id: string;
  readonly updatedAt?: string | undefined;
}

/**
 * Up to `limit` + 1 runs in the caller's resource scope after a key, and the number of all of them: newest first, or with `updatedAfter`
 * in the order of their changes. One statement.
 */
export async function listRuns(
  em: Em,
  actor: Actor,
  filter: RunFilter,
  { limit, after }: { limit: number; after: RunKey | undefined },
): Promise<{ rows: RunListRow[]; total: number }> {
  const runs = expressionBuilder<Tables>().selectFrom('runs as run').where(runConditions(actor, filter));
  const page = (filter.updatedAfter === undefined ? newestAfter(runs, after) : updatedAfter(runs, after))
    .select(runListColumns)
    .limit(limit + 1);
  return em
    .getKysely()
    .selectNoFrom([runs.select(countAs('total')).$asScalar().$notNull().as('total'), jsonArrayFrom(page).as('rows')])
    .executeTakeFirstOrThrow();
}

type Runs = SelectQueryBuilder<Tables & { run: Tables['runs'] }, 'run', unknown>;

function newestAfter(runs: Runs, after: RunKey | undefined) {
  return (after === undefined ? runs : runs.where('run.id', '<', after.id)).orderBy('run.id', 'desc');
}

function updatedAfter(runs: Runs, { id, updatedAt }: Partial<RunKey> = {}) {
  const rest =
    id === undefined || updatedAt === undefined
      ? runs
      : runs.where(({ eb, refTuple, tuple }) =>
          eb(refTuple('run.updated_at', 'run.id'), '>', tuple(sql<string>`${updatedAt}::timestamptz`, id)),
        );
  return rest.orderBy('run.updated_at').orderBy('run.id');
}

/** Runs by status, archived ones left out. */
export async function countRuns(em: Em, actor: Actor, templateId: string | undefined): Promise<Map<RunStatus, number>> {
  const rows = await em
    .getKysely()
    .selectFrom('runs as run')
    .where(runConditions(actor, { templateId, archived: false }))
    .select(['run.status', countAs('count')])
    .groupBy('run.status')
    .execute();
  return new Map(rows.map(({ status, count }) => [status, count]));
}

/** The condition of a query over runs (alias `run`): the caller's resource scope and a filter. */
export function runConditions(
  actor: Actor,
  { templateId, status, scheduledDate, stalledForDays, updatedAfter, archived }: RunFilter,
) {
  const eb = expressionBuilder<Tables & { run: Tables['runs'] }, 'run'>();
  return eb.and([
    rowsInScope('run', actor),
    ...(!archived && updatedAfter !== undefined ? [] : [eb('run.archived_at', archived ? 'is not' : 'is', null)]),
    ...(updatedAfter === undefined ? [] : [eb('run.updated_at', '>', new Date(updatedAfter).toISOString())]),
    ...(templateId === undefined ? [] : [eb('run.template_id', '=', templateId)]),
    ...(status === undefined ? [] : [eb('run.status', '=', status)]),
    ...(scheduledDate === undefined ? [] : [eb('run.scheduled_date_local', '=', scheduledDate)]),
    ...(stalledForDays === undefined
      ? []
      : [
          eb('run.status', 'in', activeRunStatuses),
          eb('run.last_activity_at', '<=', sql<string>`now() - make_interval(days => ${stalledForDays})`),
        ]),
  ]);
}
