import { z } from 'zod';
import type { Group } from '../endpoint.ts';
import { id, timestamp } from '../values.ts';

/** Every status a task can be in; only PENDING and COMPLETED can be set directly. */
export const taskStatuses = ['PENDING', 'BLOCKED', 'PENDING_APPROVAL', 'COMPLETED'] as const;

/** The status of a run task. */
export type TaskStatus = (typeof taskStatuses)[number];

/** A task of a run. `taskId` is the template's task, `runTaskId` this run's own. */
export const runTask = z
  .strictObject({
    runTaskId: id,
    taskId: id,
    title: z.string(),
    phaseId: id.nullable(),
    position: z.int(),
    status: z.enum(taskStatuses),
    hidden: z.boolean(),
    required: z.boolean(),
    repeatable: z.boolean(),
    dueAt: z.iso.datetime().nullable(),
    dueAtHasTime: z.boolean(),
    assigneeId: id.nullable(),
    assigneeGroupId: id.nullable(),
    blockedBy: z.array(id).meta({ description: 'Run tasks that must be completed first.' }),
    approval: z.null().meta({ description: 'Approval state; null on a task without approval.' }),
    completedAt: z.iso.datetime().nullable(),
    completedByUserId: id.nullable(),
  })
  .meta({ id: 'RunTask' });

/** Direct changes to one task of a run (spec: Runs, detailed operations). `:taskId` is a `runTaskId`. */
export const runTasks = {
  setStatus: {
    method: 'PATCH',
    path: '/runs/tasks/:taskId/status',
    access: 'runs:write',
    summary: 'Set the status of a task directly',
    description: 'Skips the form and its required fields. Setting the status the task already has changes nothing.',
    body: z.strictObject({ status: z.enum(['PENDING', 'COMPLETED'], { error: 'must be PENDING or COMPLETED' }) }),
    status: 204,
  },
  setDueDate: {
    method: 'PATCH',
    path: '/runs/tasks/:taskId/due-date',
    access: 'runs:write',
    summary: 'Set or clear the deadline of a task',
    body: z.strictObject({
      dueAt: timestamp.nullable(),
      dueAtHasTime: z.boolean().optional().meta({
        description: "false: due at the end of that day in the organization's time zone. Default: true.",
      }),
    }),
    status: 204,
  },
  setAssignee: {
    method: 'PATCH',
    path: '/runs/tasks/:taskId/assignee',
    access: 'runs:write',
    summary: 'Assign a task to a user or a group, or to no one',
    body: z
      .strictObject({ assigneeId: id.nullable().optional(), assigneeGroupId: id.nullable().optional() })
      .refine(
        (body) => body.assigneeId !== undefined || body.assigneeGroupId !== undefined,
        'must name assigneeId or assigneeGroupId; send null to unassign',
      )
      .refine(
        (body) => body.assigneeId == null || body.assigneeGroupId == null,
        'must name either assigneeId or assigneeGroupId, not both',
      ),
    status: 204,
  },
} as const satisfies Group;
