import type { EventName } from '@runward/contract';
import { isActive, isReady, type Fact, type FactOf, type RunState, type TaskState } from '@runward/engine';
import type { Author } from '../access/actor.ts';
import type { Changed, Draft } from './events-of.ts';

/** Who has a task. */
type Assignees = Pick<TaskState, 'assigneeId' | 'assigneeGroupId'>;

/** Who caused an event. */
type By = Pick<Author, 'userId'>;

const noOne: Assignees = { assigneeId: null, assigneeGroupId: null };

/**
 * The events of the fact at `index` that say what people have to do (decision 0075). They have what a message needs,
 * and show the tasks as they are after the whole change.
 */
export function workEventsOf(changed: Changed, index: number, by: By): Draft[] {
  const { after, facts } = changed;
  const fact = facts[index];
  switch (fact?.type) {
    case 'run.started':
      return addedTasks(after, fact.tasks, by);
    case 'run.migrated':
      return addedTasks(after, fact.added, by);
    case 'comment.created':
      return [commentEvent(after, fact, by)];
    case 'task.assigned':
      return onTask(after, fact, (task) => {
        const had = assigneesBefore(changed, index, task.id);
        if (had.assigneeId === fact.assigneeId && had.assigneeGroupId === fact.assigneeGroupId) return [];
        return [
          ...(isAssigned(had) ? [taskEvent('task.unassigned', after, task, by, had)] : []),
          ...(isAssigned(fact) ? [taskEvent('task.assigned', after, task, by, fact)] : []),
        ];
      });
    case 'task.unblocked':
    case 'task.shown': {
      const last = facts.findLastIndex((other) => mayBecomeReady(other) && other.runTaskId === fact.runTaskId);
      if (index < last) return [];
      return onTask(after, fact, (task) => (isWaiting(after, task) ? [taskEvent('task.ready', after, task, by)] : []));
    }
    case 'task.reopened':
      return onTask(after, fact, (task) => [taskEvent('task.reopened', after, task, by)]);
    case 'task.due_soon':
      return onTask(after, fact, (task) => [
        taskEvent('task.due_soon', after, task, by),
        ...approvalEvents(after, task, by),
      ]);
    default:
      return [];
  }
}

function onTask(
  { tasks }: RunState,
  { runTaskId }: { readonly runTaskId: string },
  events: (task: TaskState) => Draft[],
): Draft[] {
  const task = tasks.find(({ id }) => id === runTaskId);
  return task ? events(task) : [];
}

/** Who had a task before the fact at `index`. */
function assigneesBefore({ before, facts }: Changed, index: number, runTaskId: string): Assignees {
  const earlier = facts
    .slice(0, index)
    .findLast((fact) => fact.type === 'task.assigned' && fact.runTaskId === runTaskId);
  if (earlier?.type === 'task.assigned') return earlier;
  return before?.tasks.find(({ id }) => id === runTaskId) ?? noOne;
}

function addedTasks(run: RunState, added: readonly { readonly runTaskId: string }[], by: By): Draft[] {
  const ids = new Set(added.map(({ runTaskId }) => runTaskId));
  const drafts: Draft[] = [];
  for (const task of run.tasks) {
    if (!ids.has(task.id)) continue;
    if (isAssigned(task)) drafts.push(taskEvent('task.assigned', run, task, by));
    if (isWaiting(run, task)) drafts.push(taskEvent('task.ready', run, task, by));
  }
  return drafts;
}

function taskEvent(
  event: EventName,
  run: RunState,
  task: TaskState,
  by: By,
  { assigneeId, assigneeGroupId }: Assignees = task,
): Draft {
  return {
    event,
    userIds: assigneeId === null ? [] : [assigneeId],
    groupIds: assigneeGroupId === null ? [] : [assigneeGroupId],
    data: (named) => ({
      runId: run.id,
      templateId: run.templateId,
      runTaskId: task.id,
      taskId: task.definition.id,
      ...inWords(run, by),
      taskTitle: task.definition.title,
      assignee: named.members([assigneeId])[0] ?? null,
      assigneeGroup: named.groups([assigneeGroupId])[0] ?? null,
      dueAt: task.dueAt,
      ready: isWaiting(run, task),
    }),
  };
}

/** The event of a task that is due soon and waits for an approval; none if it does not. */
function approvalEvents(run: RunState, task: TaskState, by: By): Draft[] {
  const { approval, definition } = task;
  if (approval?.status !== 'REQUESTED') return [];
  const { approverIds = [], approverGroupIds = [] } = definition.approval ?? {};
  const due = taskEvent('approval.due_soon', run, task, by);
  return [
    {
      event: due.event,
      userIds: [...due.userIds, ...approverIds],
      groupIds: [...due.groupIds, ...approverGroupIds],
      data: (named) => ({
        ...due.data(named),
        executionEntryId: approval.entryId,
        approvers: named.members(approverIds),
        approverGroups: named.groups(approverGroupIds),
      }),
    },
  ];
}

/** The event of a new comment. The task is the one of the run as it is now; null for a comment on the run. */
function commentEvent(
  run: RunState,
  { runTaskId, commentId, text, userIds, groupIds }: FactOf<'comment.created'>,
  by: By,
): Draft {
  const task = run.tasks.find(({ id }) => id === runTaskId)?.definition;
  return {
    event: 'comment.created',
    userIds: by.userId === null ? userIds : [by.userId, ...userIds],
    groupIds,
    data: (named) => ({
      runId: run.id,
      templateId: run.templateId,
      runTaskId,
      taskId: task?.id ?? null,
      ...inWords(run, by),
      taskTitle: task?.title ?? null,
      commentId,
      text,
      author: named.members([by.userId])[0] ?? null,
      mentions: { users: named.members(userIds), groups: named.groups(groupIds) },
    }),
  };
}

function inWords({ title, publicId }: RunState, { userId }: By) {
  return { runTitle: title, runPublicId: publicId, actorUserId: userId };
}

function mayBecomeReady(fact: Fact): fact is Fact & { readonly runTaskId: string } {
  return fact.type === 'task.unblocked' || fact.type === 'task.shown';
}

function isWaiting(run: RunState, task: TaskState): boolean {
  return isActive(run) && isReady(task);
}

function isAssigned({ assigneeId, assigneeGroupId }: Assignees): boolean {
  return assigneeId !== null || assigneeGroupId !== null;
}
