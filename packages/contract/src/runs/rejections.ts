import type { ErrorCode } from '../error-codes.ts';

/** Why a task cannot be changed. */
export const taskRejections = ['run_terminal', 'task_hidden', 'task_retired'] as const satisfies readonly ErrorCode[];

/** Why the status of a task cannot be set. */
export const statusRejections = [
  ...taskRejections,
  'task_blocked',
  'approval_pending',
  'approval_missing',
] as const satisfies readonly ErrorCode[];

/** Why the form of a task cannot be filled in. */
export const formRejections = [
  ...taskRejections,
  'task_completed',
  'entry_completed',
  'size_exceeded',
] as const satisfies readonly ErrorCode[];

/** Why an entry cannot be completed. */
export const completionRejections = [
  ...taskRejections,
  'task_completed',
  'entry_completed',
  'required_fields_missing',
  'task_blocked',
  'approval_pending',
  'approval_missing',
] as const satisfies readonly ErrorCode[];

/** Why a template cannot be launched. */
export const launchRejections = [
  'template_archived',
  'template_not_published',
  'required_variables_missing',
  'changed_meanwhile',
] as const satisfies readonly ErrorCode[];
