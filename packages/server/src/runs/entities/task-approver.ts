import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import { taskStatuses } from '@runward/contract';
import { references } from '../../database/references.ts';

/**
 * Who has yet to decide on an open task of an active run: `approverId` is a member, a group, or the organization if
 * anyone may. The members in `excludedUserIds` cannot. Columns of the task are repeated, so that an index has the tasks
 * of an approver in the order of lists (decision 0071).
 */
export const TaskApprover = defineEntity({
  name: 'TaskApprover',
  tableName: 'task_approvers',
  properties: {
    organizationId: p.uuid().primary(),
    runTaskId: references('run_tasks').primary(),
    approverId: p.uuid().primary(),
    templateId: p.uuid(),
    status: p.enum(taskStatuses),
    deadlineAt: p.datetime().nullable(),
    excludedUserIds: p.json<readonly string[]>(),
  },
  indexes: [
    {
      name: 'task_approvers_list_index',
      properties: ['organizationId', 'approverId', 'status', 'deadlineAt', 'runTaskId'],
    },
  ],
});

/** A row of `task_approvers`. */
export type TaskApprover = InferEntity<typeof TaskApprover>;
