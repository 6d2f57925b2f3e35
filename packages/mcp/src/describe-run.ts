import type { Run, RunTask } from '@runward/sdk';
import { readPeople } from './lookup/people.ts';
import type { ToolContext } from './tool.ts';

/** The most open tasks of a run that are described. */
const maximumTasks = 30;

/** A run in one phrase: its public id, title and status. */
export function nameRun({ publicId, title, status }: Pick<Run, 'publicId' | 'title' | 'status'>): string {
  return `${publicId} "${title}" (${status})`;
}

/** Describes a run for a model: its data, its progress and its open tasks. */
export async function describeRun(context: ToolContext, run: Run) {
  const visible = run.tasks.filter(({ hidden, retired }) => !hidden && !retired);
  const open = visible.filter(({ status }) => status !== 'COMPLETED');
  const shown = open.slice(0, maximumTasks);
  const { scheduledDateLocal, createdAt, completedAt, cancelledAt, archivedAt, variables } = run;
  const people = await readPeople(context, [run.ownerUserId, ...shown.flatMap(assignees)]);
  const titles = new Map(run.tasks.map(({ runTaskId, title }) => [runTaskId, title]));
  const describeTask = (task: RunTask) => {
    const [assignee] = assignees(task);
    return {
      runTaskId: task.runTaskId,
      title: task.title,
      status: task.status,
      ...(!task.required && { optional: true }),
      ...(task.deadlineAt !== null && { deadlineAt: task.deadlineAt }),
      ...(assignee !== undefined && { assignedTo: people.nameOf(assignee) }),
      ...(task.approval !== null && { approval: task.approval.status }),
      ...(task.status === 'BLOCKED' && { waitsFor: task.blockedBy.map((id) => titles.get(id) ?? id) }),
    };
  };
  return {
    runId: run.id,
    publicId: run.publicId,
    title: run.title,
    status: run.status,
    templateId: run.templateId,
    owner: people.nameOf(run.ownerUserId),
    scheduledDate: scheduledDateLocal,
    launchedAt: createdAt,
    ...(completedAt !== null && { completedAt }),
    ...(cancelledAt !== null && { cancelledAt }),
    ...(archivedAt !== null && { archivedAt }),
    progress: `${visible.length - open.length} of ${visible.length} tasks completed`,
    ...(Object.keys(variables).length > 0 && { variables }),
    openTasks: shown.map(describeTask),
    ...(open.length > shown.length && { openTasksLeftOut: open.length - shown.length }),
  };
}

function assignees({ assigneeId, assigneeGroupId }: RunTask): string[] {
  return [assigneeId, assigneeGroupId].filter((id) => id !== null);
}
