import type { FilterSet, RunStatus } from '@runward/contract';
import { activeRunStatuses } from '@runward/engine';
import { expressionBuilder, sql, type Expression, type RawBuilder, type SqlBool } from 'kysely';
import type { Actor } from '../../access/actor.ts';
import { rowsInScope } from '../../access/resource-scope/filters.ts';
import { calendarOf } from '../../calendar.ts';
import { anyOf } from '../../database/expressions.ts';
import { patternOf } from '../../database/like.ts';
import type { Tables } from '../../database/tables.ts';
import { firstIdOf } from '../../ids.ts';
import { valueConditions } from './search/value-conditions.ts';

/**
 * Filters of runs. Without `archived`, archived runs are excluded, except with `updatedAfter`, because archiving is a
 * change, and with `publicId`, which names one run. `ANY` includes them.
 */
export interface RunFilter extends Omit<FilterSet, 'archived'> {
  readonly archived?: boolean | 'ANY' | undefined;
  readonly templateId?: string | undefined;
  readonly status?: RunStatus | undefined;
  readonly scheduledDate?: string | undefined;
  readonly updatedAfter?: string | undefined;
  readonly publicId?: string | undefined;
}

/** The organization and the resource scope of a query over runs, and the time zone of its days. */
export type RunScope = Pick<Actor, 'organizationId' | 'timeZone' | 'resourceScope'>;

/** The condition of a query over runs (alias `run`): a resource scope and filters, but `updatedAfter`. */
export function runConditions(actor: RunScope, filter: RunFilter) {
  const eb = expressionBuilder<Tables & { run: Tables['runs'] }, 'run'>();
  const { scheduledDate, updatedAfter, publicId, archived = false } = filter;
  const { ownerUserIds, scheduledFrom, scheduledTo, stalledForDays, search } = filter;
  const isAnyArchived = archived === 'ANY' || (!archived && (updatedAfter ?? publicId) !== undefined);
  return eb.and([
    ...countedConditions(actor, filter),
    ...(isAnyArchived ? [] : [eb('run.archived_at', archived ? 'is not' : 'is', null)]),
    ...(publicId === undefined ? [] : [eb('run.public_id', '=', publicId)]),
    ...(ownerUserIds === undefined ? [] : [eb('run.owner_user_id', '=', anyOf(ownerUserIds))]),
    ...(scheduledDate === undefined ? [] : [eb('run.scheduled_date_local', '=', scheduledDate)]),
    ...(scheduledFrom === undefined ? [] : [eb('run.scheduled_date_local', '>=', scheduledFrom)]),
    ...(scheduledTo === undefined ? [] : [eb('run.scheduled_date_local', '<=', scheduledTo)]),
    ...(search === undefined ? [] : [titleContains(search)]),
    ...createdBetween(actor, filter),
    ...assignedTo(actor, filter),
    ...valueConditions(actor.organizationId, { id: sql`run.id`, templateId: sql`run.template_id` }, filter.values),
    ...(stalledForDays === undefined
      ? []
      : [
          eb('run.status', 'in', activeRunStatuses),
          eb('run.last_activity_at', '<=', sql<string>`now() - make_interval(days => ${stalledForDays})`),
        ]),
  ]);
}

/**
 * The conditions on the properties by which runs are counted, without `archived`. They apply to runs and to counters,
 * both with the alias `run`.
 */
export function countedConditions(actor: RunScope, filter: RunFilter): Expression<SqlBool>[] {
  const eb = expressionBuilder<Tables & { run: Tables['runs'] }, 'run'>();
  const { templateId, templateIds, folderIds, status, statuses } = filter;
  const inFolders = (ids: readonly string[]) =>
    eb
      .selectFrom('templates as filed')
      .select('filed.id')
      .where('filed.organization_id', '=', actor.organizationId)
      .where('filed.folder_id', '=', anyOf(ids));
  return [
    rowsInScope('run', actor),
    ...(templateId === undefined ? [] : [eb('run.template_id', '=', templateId)]),
    ...(templateIds === undefined ? [] : [eb('run.template_id', '=', anyOf(templateIds))]),
    ...(folderIds === undefined ? [] : [eb('run.template_id', 'in', inFolders(folderIds))]),
    ...(status === undefined ? [] : [eb('run.status', '=', status)]),
    ...(statuses === undefined ? [] : [eb('run.status', 'in', statuses)]),
  ];
}

/** Days are those of the organization's time zone. A run's id contains its `createdAt`, so days are ranges of ids. */
function createdBetween({ timeZone }: RunScope, { createdFrom, createdTo }: RunFilter) {
  const eb = expressionBuilder<Tables & { run: Tables['runs'] }, 'run'>();
  const { startOfDay, endOfDay } = calendarOf(timeZone);
  const firstIdAfter = (at: string, ms: number) => firstIdOf(new Date(Math.max(0, Date.parse(at) + ms)));
  return [
    ...(createdFrom === undefined ? [] : [eb('run.id', '>=', firstIdAfter(startOfDay(createdFrom), 0))]),
    ...(createdTo === undefined ? [] : [eb('run.id', '<', firstIdAfter(endOfDay(startOfDay(createdTo)), 1))]),
  ];
}

/** The condition that the run has a task of one of these members. */
function assignedTo({ organizationId }: RunScope, { assigneeIds }: RunFilter) {
  if (assigneeIds === undefined) return [];
  const eb = expressionBuilder<Tables & { run: Tables['runs'] }, 'run'>();
  const withTask = eb
    .selectFrom('run_tasks as task')
    .select('task.run_id')
    .where('task.organization_id', '=', organizationId)
    .where('task.assignee_id', '=', anyOf(assigneeIds))
    .where('task.hidden', '=', false)
    .where('task.removed_at', 'is', null);
  return [eb('run.id', 'in', withTask)];
}

/**
 * Both lower-case forms of the Greek sigma match. A search may read the title of every run, and replacing the sigma
 * takes as long as the rest, so only texts with a sigma do.
 */
function titleContains(text: string): RawBuilder<SqlBool> {
  const pattern = patternOf(text);
  if (!/[σς]/i.test(text)) return sql`lower(run.title) like lower(${pattern})`;
  return sql`translate(lower(run.title), 'ς', 'σ') like translate(lower(${pattern}), 'ς', 'σ')`;
}
