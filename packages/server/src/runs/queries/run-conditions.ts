import type { FilterSet, RunStatus } from '@runward/contract';
import { activeRunStatuses } from '@runward/engine';
import { expressionBuilder, sql } from 'kysely';
import type { Actor } from '../../access/actor.ts';
import { rowsInScope } from '../../access/resource-scope/filters.ts';
import { calendarOf } from '../../calendar.ts';
import { anyOf } from '../../database/expressions.ts';
import { patternOf } from '../../database/like.ts';
import type { Tables } from '../../database/tables.ts';

/**
 * Filters of runs. Without `archived` archived runs are left out, unless `updatedAfter` is given: archiving is a change. `ANY` includes
 * them.
 */
export interface RunFilter extends Omit<FilterSet, 'archived'> {
  readonly archived?: boolean | 'ANY' | undefined;
  readonly templateId?: string | undefined;
  readonly status?: RunStatus | undefined;
  readonly scheduledDate?: string | undefined;
  readonly updatedAfter?: string | undefined;
}

/** Whose runs a query is about, and the time zone of its days. */
export type RunScope = Pick<Actor, 'organizationId' | 'timeZone' | 'resourceScope'>;

/** The condition of a query over runs (alias `run`): a resource scope and filters. */
export function runConditions(actor: RunScope, filter: RunFilter) {
  const eb = expressionBuilder<Tables & { run: Tables['runs'] }, 'run'>();
  const { templateId, status, scheduledDate, updatedAfter, archived = false } = filter;
  const { statuses, templateIds, ownerUserIds, scheduledFrom, scheduledTo, stalledForDays, search } = filter;
  const isAnyArchived = archived === 'ANY' || (!archived && updatedAfter !== undefined);
  return eb.and([
    rowsInScope('run', actor),
    ...(isAnyArchived ? [] : [eb('run.archived_at', archived ? 'is not' : 'is', null)]),
    ...(updatedAfter === undefined ? [] : [eb('run.updated_at', '>', new Date(updatedAfter).toISOString())]),
    ...(templateId === undefined ? [] : [eb('run.template_id', '=', templateId)]),
    ...(templateIds === undefined ? [] : [eb('run.template_id', '=', anyOf(templateIds))]),
    ...(status === undefined ? [] : [eb('run.status', '=', status)]),
    ...(statuses === undefined ? [] : [eb('run.status', 'in', statuses)]),
    ...(ownerUserIds === undefined ? [] : [eb('run.owner_user_id', '=', anyOf(ownerUserIds))]),
    ...(scheduledDate === undefined ? [] : [eb('run.scheduled_date_local', '=', scheduledDate)]),
    ...(scheduledFrom === undefined ? [] : [eb('run.scheduled_date_local', '>=', scheduledFrom)]),
    ...(scheduledTo === undefined ? [] : [eb('run.scheduled_date_local', '<=', scheduledTo)]),
    ...(search === undefined ? [] : [eb('run.title', 'ilike', patternOf(search))]),
    ...createdBetween(actor, filter),
    ...relatedTo(actor, filter),
    ...(stalledForDays === undefined
      ? []
      : [
          eb('run.status', 'in', activeRunStatuses),
          eb('run.last_activity_at', '<=', sql<string>`now() - make_interval(days => ${stalledForDays})`),
        ]),
  ]);
}

/** Days of the organization begin and end by its time zone. */
function createdBetween({ timeZone }: RunScope, { createdFrom, createdTo }: RunFilter) {
  const eb = expressionBuilder<Tables & { run: Tables['runs'] }, 'run'>();
  const { startOfDay, endOfDay } = calendarOf(timeZone);
  return [
    ...(createdFrom === undefined ? [] : [eb('run.created_at', '>=', startOfDay(createdFrom))]),
    ...(createdTo === undefined ? [] : [eb('run.created_at', '<=', endOfDay(startOfDay(createdTo)))]),
  ];
}

/** What the folder of the template and the tasks of the run have to fulfil. */
function relatedTo({ organizationId }: RunScope, { folderIds, assigneeIds }: RunFilter) {
  const eb = expressionBuilder<Tables & { run: Tables['runs'] }, 'run'>();
  const inFolders = (ids: readonly string[]) =>
    eb
      .selectFrom('templates as filed')
      .select('filed.id')
      .where('filed.organization_id', '=', organizationId)
      .where('filed.folder_id', '=', anyOf(ids));
  const withTaskOf = (ids: readonly string[]) =>
    eb
      .selectFrom('run_tasks as task')
      .select('task.run_id')
      .where('task.organization_id', '=', organizationId)
      .where('task.assignee_id', '=', anyOf(ids))
      .where('task.hidden', '=', false)
      .where('task.removed_at', 'is', null);
  return [
    ...(folderIds === undefined ? [] : [eb('run.template_id', 'in', inFolders(folderIds))]),
    ...(assigneeIds === undefined ? [] : [eb('run.id', 'in', withTaskOf(assigneeIds))]),
  ];
}
