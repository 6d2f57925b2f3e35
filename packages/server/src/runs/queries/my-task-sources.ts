import { taskReasons, type TaskReason } from '@runward/contract';
import { expressionBuilder, sql, type RawBuilder } from 'kysely';
import type { Actor } from '../../access/actor.ts';
import { rowsInScope } from '../../access/resource-scope/filters.ts';
import type { Tables } from '../../database/tables.ts';
import { valueConditions } from './search/value-conditions.ts';
import { partsOf, type Part, type TaskFilter } from './task-parts.ts';
import type { TaskSource } from './task-sources.ts';

/**
 * For each reason the rows of tasks with their owner (`owner_id`), and the owners whose tasks are tasks of the caller.
 * The organization owns the approvals that name no approver, so that they are tasks of everyone.
 */
const byReason: Readonly<
  Record<
    TaskReason,
    {
      readonly rows: (actor: Actor) => RawBuilder<unknown>;
      readonly owners: (actor: Actor) => RawBuilder<unknown>;
      /** An expression for the run of a row. */
      readonly runId: RawBuilder<unknown>;
    }
  >
> = {
  ASSIGNED: {
    rows: () => sql`select *, assignee_id as owner_id from run_tasks where listed`,
    owners: caller,
    runId: sql`task.run_id`,
  },
  GROUP: {
    rows: () => sql`select *, assignee_group_id as owner_id from run_tasks where listed`,
    owners: groupsOf,
    runId: sql`task.run_id`,
  },
  APPROVAL: {
    rows: ({ userId }) => sql`
      select organization_id, run_task_id as id, template_id, status, deadline_at, approver_id as owner_id
      from task_approvers where not excluded_user_ids @> to_jsonb(${userId}::text)`,
    owners: (actor) => {
      const own = sql`${caller(actor)} union all ${groupsOf(actor)}`;
      // Guests decide only where they are named.
      if (actor.resourceScope.mode === 'ASSIGNED') return own;
      return sql`${own} union all select ${actor.organizationId}::uuid as owner_id`;
    },
    runId: sql`(select own.run_id from run_tasks own where own.organization_id = task.organization_id and own.id = task.id)`,
  },
};

function caller({ userId }: Actor) {
  return sql`select ${userId}::uuid as owner_id`;
}

function groupsOf({ organizationId, userId }: Actor) {
  return sql`select group_id as owner_id from group_members where organization_id = ${organizationId} and user_id = ${userId}`;
}

/** The sources of the tasks of the caller: one per reason, which has a part per owner and status. */
export function mySources(actor: Actor, filter: TaskFilter, reasons: readonly TaskReason[]): TaskSource[] {
  const eb = expressionBuilder<
    Tables & { task: Tables['run_tasks'] & { owner_id: string }; part: Part & { owner_id: string } },
    'task' | 'part'
  >();
  const { templateId, values } = filter;
  const isIn = (runId: RawBuilder<unknown>) =>
    eb.and([
      rowsInScope('task', actor),
      eb('task.owner_id', '=', eb.ref('part.owner_id')),
      eb('task.status', '=', eb.ref('part.status')),
      ...(templateId === undefined ? [] : [eb('task.template_id', '=', templateId)]),
      ...valueConditions(actor.organizationId, { id: runId, templateId: sql`task.template_id` }, values),
    ]);
  return taskReasons
    .filter((reason) => reasons.includes(reason))
    .map((reason) => {
      const { rows, owners, runId } = byReason[reason];
      return { parts: partsOf(filter, owners(actor)), rows: sql`(${rows(actor)}) task`, isIn: isIn(runId) };
    });
}

/** Why a task (alias `task`) is one of the caller, as an array. */
export function reasonsOf(actor: Actor): RawBuilder<TaskReason[]> {
  const reasons = taskReasons.map((reason) => {
    const { rows, owners } = byReason[reason];
    // Not "exists", for which PostgreSQL may read all rows at once instead of those of the task.
    return sql`case when (
      select true from (${rows(actor)}) mine
      where mine.organization_id = task.organization_id and mine.id = task.id and mine.owner_id in (${owners(actor)})
      limit 1
    ) then ${sql.lit(reason)} end`;
  });
  return sql`array_remove(array[${sql.join(reasons)}], null)`;
}
