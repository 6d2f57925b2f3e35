import { z } from 'zod';
import { component } from '../component.ts';
import type { Group } from '../endpoint.ts';
import { page, pageQuery } from '../page.ts';
import { description, id, version } from '../values.ts';
import { taskRejections } from './rejections.ts';
import { taskListItem } from './task-list.ts';

const decidedTask = taskListItem
  .extend({ version: version.describe('The version of the run. Opaque.') })
  .meta({ id: 'DecidedTask', description: 'A task after a decision on its approval.' });

const trailItem = component('ApprovalTrailItem', 'One step of the approval of a task.', {
  id: id.describe('Id of the item. The item in the activity of the run has the same id.'),
  type: z.enum(['REQUESTED', 'GRANTED', 'REJECTED', 'INVALIDATED']).meta({
    id: 'ApprovalTrailType',
    description:
      'What happened. GRANTED: one approver agreed. INVALIDATED: the request and the decisions until then no longer count, because ' +
      'the entry has changed or is no longer the open one.',
  }),
  userId: id
    .nullable()
    .describe(
      'The member who decided, or whose change requested or invalidated the approval; null if the service did.',
    ),
  comment: z.string().nullable().describe('Comment on the decision; null for none.'),
  at: z.iso.datetime().describe('When it happened.'),
  executionEntryId: id.describe('The entry that the approval concerns.'),
});

/** Approvals of tasks. Part of the group `runs.tasks`. */
export const taskApprovals = {
  approve: {
    method: 'POST',
    path: '/runs/tasks/:taskId/approval',
    access: 'runs:write',
    guests: true,
    summary: 'Approve a task pending approval',
    description:
      '`taskId` is a `runTaskId`. An API key decides as its creator. If several approvers have to agree, the last of them grants the approval, ' +
      'which emits `approval.granted`. Returns 403 if the member is not an approver or filled in the form, and 400 if nothing waits for a ' +
      'decision, the member has approved already, the task is hidden, or the run is not active. With `If-Match`, approves only what was read.',
    body: component('ApproveTask', 'The approval of a task.', {
      comment: description.nullish().describe('At most 2,000 characters. Default: none.'),
    }).optional(),
    errors: [...taskRejections, 'approval_not_pending', 'approval_already_decided', 'not_an_approver', 'own_work'],
    response: decidedTask,
    versioned: true,
  },
  reject: {
    method: 'POST',
    path: '/runs/tasks/:taskId/approval/reject',
    access: 'runs:write',
    guests: true,
    summary: "Reject a task's approval",
    description:
      '`taskId` is a `runTaskId`. One rejection is enough, even if others have approved; it emits `approval.rejected`. The next value that is ' +
      'submitted requests the approval again. Returns the same errors as approving.',
    body: component('RejectTask', 'The rejection of a task.', {
      comment: description
        .refine((text) => text.trim() !== '', 'must say why the task is rejected')
        .describe('Why, at most 2,000 characters.'),
    }),
    errors: [...taskRejections, 'approval_not_pending', 'approval_already_decided', 'not_an_approver', 'own_work'],
    response: decidedTask,
    versioned: true,
  },
  approvalTrail: {
    method: 'GET',
    path: '/runs/tasks/:taskId/approval-trail',
    access: 'runs:read',
    guests: true,
    summary: 'List the approval history of a task',
    description: '`taskId` is a `runTaskId`. Newest first; nothing is removed from it.',
    query: pageQuery,
    response: page(trailItem),
  },
} as const satisfies Group;
