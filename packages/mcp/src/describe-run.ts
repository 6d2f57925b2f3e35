import type { Run, RunTask } from '@runward/sdk';
import { readPeople } from './lookup/people.ts';
import { quoted } from './outline.ts';
import { messageOf } from './tool-error.ts';
import type { ToolContext } from './tool.ts';

/** The most open tasks of a run that are described. */
const maximumTasks = 30;

/** A run in one phrase: its public id, its title, and its status if that is known. */
export function nameRun({ publicId, title, status }: NamedRun): string {
  return `${publicId} ${quoted(title)}${status === undefined ? '' : ` (${status})`}`;
}

type NamedRun = Pick<Run, 'publicId' | 'title'> & { readonly status?: Run['status'] };

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

/**
 * Describes a run after a change. If the run cannot be read, that is said instead: an error would pass for a failure of
 * the change, which would then be made twice.
 */
export async function describeChanged(context: ToolContext, { id, publicId, title }: Pick<Run, 'id' | keyof NamedRun>) {
  try {
    return await describeRun(context, await context.client.runs.get(id));
  } catch (error) {
    const message = messageOf(error);
    if (message === null) throw error;
    const notRead = `The change was made, so do not repeat this call. Only reading the run afterwards failed: ${message}`;
    return { runId: id, publicId, title, notRead };
  }
}

function assignees({ assigneeId, assigneeGroupId }: RunTask): string[] {
  return [assigneeId, assigneeGroupId].filter((id) => id !== null);
}
