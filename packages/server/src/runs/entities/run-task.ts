import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import { taskStatuses } from '@runward/contract';
import type { ApprovalState } from '@runward/engine';
import { references } from '../../database/references.ts';

/**
 * A task of a run. `taskId` names its definition in the document of the run's template version. `deadlineAt` is the
 * time after which the task is overdue; for a date without a time, that is the end of the day. `overdueSignalled` is
 * whether that was reported. `availableAt` is the time since which the task can be worked on. `done` is whether the
 * task is COMPLETED, or would be without its open entries. A task that a migration has retired or removed has its
 * definition in `retiredFromVersionId`; a removed task is kept only so that it can be brought back. `templateId` is the
 * template of the run, and `listed` is whether the task is visible and its run active. With these two, lists over
 * several runs read only tasks (decision 0053).
 */
export const RunTask = defineEntity({
  name: 'RunTask',
  tableName: 'run_tasks',
  properties: {
    organizationId: p.uuid().primary(),
    id: p.uuid().primary(),
    runId: p.uuid(),
    templateId: p.uuid(),
    taskId: p.uuid(),
    position: p.integer(),
    status: p.enum(taskStatuses),
    hidden: p.boolean(),
    done: p.boolean(),
    hiddenFieldIds: p.json<readonly string[]>(),
    forceUnblocked: p.boolean(),
    approval: p.json<ApprovalState>().nullable(),
    dueAt: p.datetime().nullable(),
    dueAtHasTime: p.boolean(),
    deadlineAt: p.datetime().nullable(),
    dueSoonAt: p.datetime().nullable(),
    overdueSignalled: p.boolean(),
    assigneeId: references('users').nullable(),
    assigneeGroupId: references('groups').nullable(),
    assignedManually: p.boolean(),
    availableAt: p.datetime().nullable(),
    completedAt: p.datetime().nullable(),
    completedByUserId: p.uuid().nullable(),
    retiredFromVersionId: references('template_versions').nullable(),
    removedAt: p.datetime().nullable(),
    listed: p.boolean(),
  },
  indexes: [
    { name: 'run_tasks_run_index', properties: ['organizationId', 'runId'] },
    {
      name: 'run_tasks_list_index',
      properties: ['organizationId', 'templateId', 'status', 'deadlineAt', 'id'],
      where: 'listed',
    },
    {
      name: 'run_tasks_assignee_index',
      properties: ['organizationId', 'assigneeId', 'listed', 'status', 'deadlineAt', 'id'],
      where: 'assignee_id is not null',
    },
    {
      name: 'run_tasks_assignee_group_index',
      properties: ['organizationId', 'assigneeGroupId', 'listed', 'status', 'deadlineAt', 'id'],
      where: 'assignee_group_id is not null',
    },
  ],
});

/** A row of `run_tasks`. */
export type RunTask = InferEntity<typeof RunTask>;
