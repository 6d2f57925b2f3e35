import { leaf, type CommandTree } from '../tree.ts';

/** The hand-written commands of `runward tasks`, which its help lists first. */
export const commands: CommandTree = {
  list: leaf(
    'List the tasks of a run in order, or the open tasks of all active runs by deadline',
    async () => (await import('./list.ts')).listTasks,
  ),
  fill: leaf(
    'Save values of the form of a task without completing it',
    async () => (await import('./fill.ts')).fillTask,
  ),
  complete: leaf(
    'Fill in the form of a task and complete it',
    async () => (await import('./complete.ts')).completeTask,
  ),
  reopen: leaf(
    'Reopen a completed task; its form keeps its values',
    async () => (await import('./reopen.ts')).reopenTask,
  ),
  assign: leaf(
    'Assign a task to a member or a group, or unassign it',
    async () => (await import('./assign.ts')).assignTask,
  ),
  approve: leaf('Approve a task that waits for approval', async () => (await import('./decide.ts')).approveTask),
  reject: leaf('Reject a task that waits for approval', async () => (await import('./decide.ts')).rejectTask),
  due: leaf('Set or clear the deadline of a task', async () => (await import('./due.ts')).setTaskDue),
  wait: leaf(
    'Wait until a task is completed, or hidden by a rule',
    async () => (await import('./wait.ts')).waitForTask,
  ),
  update: leaf(
    'Change the status, assignee or deadline of several tasks, all or none',
    async () => (await import('./update.ts')).updateTasks,
  ),
};
