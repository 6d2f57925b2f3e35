import type { EventName } from '@runward/contract';

/** When each event happens. */
export const eventMeanings: Readonly<Record<EventName, string>> = {
  'run.started': 'A run is launched',
  'run.completed': 'A run is completed',
  'run.cancelled': 'A run is cancelled',
  'run.reopened': 'A run that had ended is open again',
  'task.completed': 'A task is completed',
  'task.overdue': 'A task passes its deadline',
  'approval.requested': 'A task waits for an approval',
  'approval.granted': 'A task is approved',
  'approval.rejected': 'A task is rejected',
  'task.assigned': 'A task is assigned to a member or a group',
  'task.unassigned': 'A task is taken from a member or a group',
  'task.ready': 'A task can be worked on: launched, unblocked or shown',
  'task.due_soon': 'The deadline of a task is near',
  'task.reopened': 'A completed task is open again',
  'approval.due_soon': 'The deadline of a task is near, and it waits for an approval',
  'comment.created': 'Someone comments on a run or a task',
};
