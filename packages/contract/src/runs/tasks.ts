import { z } from 'zod';
import { component } from '../component.ts';
import type { Group } from '../endpoint.ts';
import { id, timestamp } from '../values.ts';
import { runTaskApproval } from './approval-types.ts';
import { statusRejections, taskRejections } from './rejections.ts';

/** The statuses of run tasks. Only PENDING and COMPLETED can be set directly. */
export const taskStatuses = ['PENDING', 'BLOCKED', 'PENDING_APPROVAL', 'COMPLETED'] as const;

/** The status of a run task. */
export type TaskStatus = (typeof taskStatuses)[number];

/** The status of a run task on the wire. */
export const taskStatus = z.enum(taskStatuses).meta({
  id: 'TaskStatus',
  description:
    'The status of a run task; all but COMPLETED are open. BLOCKED: waits for other tasks. PENDING_APPROVAL: waits for approvers.',
});

/** The statuses that can be set directly, on the wire. */
export const directTaskStatus = z
  .enum(['PENDING', 'COMPLETED'], { error: 'must be PENDING or COMPLETED' })
  .meta({ id: 'DirectTaskStatus', description: 'A status of a run task that can be set directly.' });

/** What all representations of a task of a run have. */
export const runTask = z.strictObject({
  runTaskId: id.describe('Id of the task in this run.'),
  taskId: id.describe('Id of the task in the template.'),
  title: z.string().describe('Title of the task.'),
  phaseId: id.nullable().describe('The phase of the template that contains the task; null for a task without one.'),
  position: z.int().min(0).describe('Counts from 0 over the whole run.'),
  status: taskStatus.describe('Status of the task. PENDING and COMPLETED can be set directly.'),
  hidden: z.boolean().describe('Whether rules hide the task. Hidden tasks cannot be changed and do not block the run.'),
  hiddenFieldIds: z.array(id).describe('Fields that rules hide. They cannot be submitted and are not required.'),
  required: z.boolean().describe('Whether the run completes only after the task is completed.'),
  repeatable: z.boolean().describe('Whether the form of the task can be filled in several times.'),
  dueAt: z.iso.datetime().nullable().describe('Deadline of the task; null for a task without one.'),
  dueAtHasTime: z
    .boolean()
    .describe("false: the deadline is the end of the day of `dueAt` in the organization's time zone."),
  deadlineAt: z.iso
    .datetime()
    .nullable()
    .describe(
      'The moment after which the open task is overdue: `dueAt`, or without a time the end of that day; null without a deadline.',
    ),
  assigneeId: id
    .nullable()
    .describe('The member the task is assigned to; null if it is assigned to a group or not at all.'),
  assigneeGroupId: id
    .nullable()
    .describe('The group the task is assigned to; null if it is assigned to a member or not at all.'),
  blockedBy: z.array(id).describe('Ids of the run tasks that must be completed first.'),
  approval: runTaskApproval.nullable().describe('State of the approval; null for a task without one.'),
  completedAt: z.iso.datetime().nullable().describe('When the task was completed; null while it is open.'),
  completedByUserId: id.nullable().describe('The member who completed the task; null while it is open.'),
  retired: z
    .boolean()
    .describe(
      'true: the task was completed before the run was migrated to a version without it. It can be read, not changed, and is not required.',
    ),
});

/** Direct changes to a task of a run (spec: Runs, detailed operations). In these paths `taskId` is a run task id. */
export const runTasks = {
  setStatus: {
    method: 'PATCH',
    path: '/runs/tasks/:taskId/status',
    access: 'runs:write',
    summary: 'Set the status of a task directly',
    description:
      '`taskId` is a `runTaskId`. Skips the form and its required fields; open entries stay open. Completing the last required, ' +
      'visible task completes the run; if no visible task is required, completing the last visible task does. Setting the current ' +
      'status changes nothing. Returns 400 if the run is not active or the task is hidden or BLOCKED.',
    body: component('SetTaskStatus', 'The new status of a task.', {
      status: directTaskStatus.describe('COMPLETED emits `task.completed`.'),
    }),
    errors: statusRejections,
    versioned: true,
  },
  setDueDate: {
    method: 'PATCH',
    path: '/runs/tasks/:taskId/due-date',
    access: 'runs:write',
    summary: 'Set or clear the deadline of a task',
    description:
      '`taskId` is a `runTaskId`. A past deadline makes the run OVERDUE immediately. Returns 400 if the run is not active or the task ' +
      'is hidden.',
    body: component('SetTaskDueDate', 'The new deadline of a task.', {
      dueAt: timestamp.nullable().describe('null clears the deadline.'),
      dueAtHasTime: z
        .boolean()
        .optional()
        .describe(
          "true: due at that time. false: due at the end of that day in the organization's time zone. Default: as it is; true if the " +
            'task has no deadline.',
        ),
    }),
    errors: taskRejections,
    versioned: true,
  },
  setAssignee: {
    method: 'PATCH',
    path: '/runs/tasks/:taskId/assignee',
    access: 'runs:write',
    summary: 'Assign or unassign a task',
    description:
      '`taskId` is a `runTaskId`. A task has one assignee: assigning it to a user removes the group, and the reverse. A property that ' +
      'is left out is otherwise unchanged; both null unassign the task entirely. Returns 400 if the run is not active or the task is ' +
      'hidden.',
    body: z
      .strictObject({
        assigneeId: id
          .nullable()
          .optional()
          .describe('An active member whose role is not VIEWER; null removes the user.'),
        assigneeGroupId: id.nullable().optional().describe('A group; null removes the group.'),
      })
      .refine(
        (body) => body.assigneeId !== undefined || body.assigneeGroupId !== undefined,
        'must contain assigneeId or assigneeGroupId; send null to unassign',
      )
      .refine(
        (body) => body.assigneeId == null || body.assigneeGroupId == null,
        'must not contain both assigneeId and assigneeGroupId; send null for one of them',
      )
      .meta({ id: 'SetTaskAssignee', description: 'The new assignee of a task.' }),
    errors: taskRejections,
    versioned: true,
  },
} as const satisfies Group;
