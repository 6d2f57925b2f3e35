import { activeRunStatuses } from '@runward/engine';
import { expressionBuilder, sql, type Expression, type Kysely, type RawBuilder, type SqlBool } from 'kysely';
import type { Actor } from '../../access/actor.ts';
import { rowsInScope } from '../../access/resource-scope/filters.ts';
import type { Tables } from '../../database/tables.ts';
import { mySources } from './my-task-sources.ts';
import { countersOf } from './run-counters.ts';
import { valueConditions } from './search/value-conditions.ts';
import { partsOf, type Part, type TaskFilter } from './task-parts.ts';

/** Tasks that an index has in the order of lists, part by part. */
export interface TaskSource {
  /** A query for the parts (alias `part`); see `partsOf`. */
  readonly parts: RawBuilder<unknown>;
  /** The rows of the tasks (alias `task`): their `id`, `deadline_at` and what `isIn` compares. */
  readonly rows: RawBuilder<unknown>;
  /** The condition on a task to be in a part, whatever its deadline. */
  readonly isIn: Expression<SqlBool>;
}

/** What a list of tasks is merged from. */
export interface TaskSources {
  readonly sources: readonly TaskSource[];
  /** Whether there can be many parts. */
  readonly areMany: boolean;
  /** Whether a task can be in several parts. */
  readonly overlap: boolean;
}

/** The sources of a list of tasks. The parts are by template if the filter names no assignee, group, run or value. */
export function sourcesOf(db: Kysely<Tables>, actor: Actor, filter: TaskFilter): TaskSources {
  const { mine, assigneeId, assigneeGroupId, runId, templateId, values } = filter;
  if (mine) return { sources: mySources(actor, filter, mine), areMany: true, overlap: true };
  const areByTemplate = [assigneeId, assigneeGroupId, runId, values].every((named) => named === undefined);
  const templates = countersOf(db, actor, { templateId, statuses: [...activeRunStatuses] })
    .select('run.template_id')
    .distinct();
  const source = {
    parts: partsOf(filter, areByTemplate ? sql`${templates}` : undefined),
    rows: sql`run_tasks task`,
    isIn: isInPart(actor, filter, areByTemplate),
  };
  return { sources: [source], areMany: areByTemplate, overlap: false };
}

function isInPart(actor: Actor, filter: TaskFilter, isByTemplate: boolean): Expression<SqlBool> {
  const eb = expressionBuilder<
    Tables & { task: Tables['run_tasks']; part: Part & { template_id: string } },
    'task' | 'part'
  >();
  const { assigneeId, assigneeGroupId, templateId, runId, values } = filter;
  const isOfPart = eb.and([
    eb('task.organization_id', '=', actor.organizationId),
    eb('task.status', '=', eb.ref('part.status')),
    ...(runId === undefined
      ? [eb('task.listed', '=', true)]
      : [eb('task.run_id', '=', runId), eb('task.hidden', '=', false), eb('task.removed_at', 'is', null)]),
  ]);
  if (isByTemplate) return isOfPart.and('task.template_id', '=', eb.ref('part.template_id'));
  return eb.and([
    isOfPart,
    rowsInScope('task', actor),
    ...(assigneeId === undefined ? [] : [eb('task.assignee_id', '=', assigneeId)]),
    ...(assigneeGroupId === undefined ? [] : [eb('task.assignee_group_id', '=', assigneeGroupId)]),
    ...(templateId === undefined ? [] : [eb('task.template_id', '=', templateId)]),
    ...valueConditions(actor.organizationId, { id: sql`task.run_id`, templateId: sql`task.template_id` }, values),
  ]);
}
