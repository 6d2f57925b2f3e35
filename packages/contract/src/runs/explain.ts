import { z } from 'zod';
import { component } from '../component.ts';
import type { Group } from '../endpoint.ts';
import { id } from '../values.ts';
import { runStatus } from './run.ts';
import { taskStatus } from './tasks.ts';

const reason = component('Reason', 'A reason for the state of a run or a task.', {
  code: z
    .enum([
      'RUN_COMPLETED',
      'RUN_CANCELLED',
      'ARCHIVED',
      'TASKS_OVERDUE',
      'REQUIRED_TASKS_OPEN',
      'OPTIONAL_TASKS_OPEN',
      'NO_TASK_OPEN',
      'RETIRED',
      'HIDDEN_BY_RULE',
      'SHOWN_BY_RULE',
      'NOT_SHOWN_BY_RULE',
      'RULES_NOT_APPLIED',
      'COMPLETED',
      'BLOCKED',
      'FORCE_UNBLOCKED',
      'APPROVAL_NOT_REQUESTED',
      'WAITING_FOR_APPROVAL',
      'APPROVAL_GRANTED',
      'APPROVAL_REJECTED',
      'APPROVAL_OUTDATED',
      'NOT_OPENED',
      'VALUES_MISSING',
      'FORM_FILLED_IN',
      'OVERDUE',
      'ASSIGNED_BY_HAND',
      'UNASSIGNED_BY_HAND',
      'ASSIGNED_BY_RULE',
      'ASSIGNED_BY_TEMPLATE',
    ])
    .meta({ id: 'ReasonCode', description: 'What a reason is about.' }),
  message: z.string().describe('The reason as a sentence, with titles, labels and names.'),
  runTaskIds: z.array(id).optional().describe('The run tasks that it names.'),
  fieldIds: z.array(id).optional().describe('The fields that it names.'),
  ruleId: id.optional().describe('The rule that it names.'),
  userId: id.optional().describe('The member that it names.'),
  groupId: id.optional().describe('The group that it names.'),
  approverIds: z
    .array(id)
    .optional()
    .describe('The members that it names: who still have to approve, or who approved.'),
  approverGroupIds: z.array(id).optional().describe('The groups of which a member still has to approve.'),
});

const taskExplanation = component('TaskExplanation', 'The reasons for the state of a task.', {
  runTaskId: id.describe('Id of the task in this run.'),
  title: z.string().describe('Title of the task.'),
  status: taskStatus.describe('Status of the task.'),
  hidden: z.boolean().describe('Whether rules hide the task.'),
  reasons: z.array(reason).describe('Why it is visible or hidden, has its status, and is assigned.'),
});

/** Explains the state of a run and its tasks. Part of the group `runs`. */
export const runExplain = {
  explain: {
    method: 'GET',
    path: '/runs/:id/explain',
    large: true,
    access: 'runs:read',
    summary: 'Explain the status of a run and its tasks',
    description:
      'Names what the run and each task wait for: open tasks, missing values, approvals. Names the rules that hide, show or assign a task, ' +
      'with the values that they read. Tasks are listed by position; hidden ones too. A reason has at most 10 conditions of a rule and 100 ' +
      'characters of a value, and a task or field at most 10 rules that could show it; the message says how many more there are. Beyond ' +
      '1,000,000 characters, conditions are left out.',
    response: component('RunExplanation', 'Explains the state of a run and its tasks.', {
      run: component('RunReasons', 'The reasons for the state of the run.', {
        status: runStatus.describe('Status of the run.'),
        completable: z.boolean().describe('Whether `POST /runs/:id/complete` would be accepted.'),
        reasons: z.array(reason).describe('Why it has this status, and what it waits for.'),
      }),
      tasks: z.array(taskExplanation).describe('The reasons for the state of its tasks.'),
    }),
  },
} as const satisfies Group;
