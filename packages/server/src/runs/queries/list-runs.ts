import type { RunStatus } from '@runward/contract';
import { activeRunStatuses } from '@runward/engine';
import { expressionBuilder, sql } from 'kysely';
import { jsonArrayFrom } from 'kysely/helpers/postgres';
import type { Actor } from '../../access/actor.ts';
import { rowsInScope } from '../../access/resource-scope/filters.ts';
import type { Em } from '../../database/database.ts';
import { countAs } from '../../database/expressions.ts';
import type { Tables } from '../../database/tables.ts';

/** Which runs to list; `after` is the id of the last run of the page before. */
export interface RunFilter {
  readonly templateId?: string | undefined;
  readonly status?: RunStatus | undefined;
  readonly scheduledDate?: string | undefined;
  readonly stalledForDays?: number | undefined;
  readonly archived: boolean;
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
] as const;

/** Up to `limit` + 1 runs in the caller's resource scope, newest first, and the number of all of them. One statement. */
export async function listRuns(
  em: Em,
  actor: Actor,
  filter: RunFilter,
  { limit, after }: { limit: number; after: string | undefined },
): Promise<{ rows: RunListRow[]; total: number }> {
  const runs = expressionBuilder<Tables>().selectFrom('runs as run').where(runConditions(actor, filter));
  const rest = after === undefined ? runs : runs.where('run.id', '<', after);
  const page = rest
    .select(runListColumns)
    .orderBy('run.id', 'desc')
    .limit(limit + 1);
  return em
    .getKysely()
    .selectNoFrom([runs.select(countAs('total')).$asScalar().$notNull().as('total'), jsonArrayFrom(page).as('rows')])
    .executeTakeFirstOrThrow();
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
  { templateId, status, scheduledDate, stalledForDays, archived }: RunFilter,
) {
  const eb = expressionBuilder<Tables & { run: Tables['runs'] }, 'run'>();
  return eb.and([
    rowsInScope('run', actor),
    eb('run.archived_at', archived ? 'is not' : 'is', null),
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
