import type { EventName } from '@runward/contract';
import { isActive, isReady, type Fact, type RunState, type TaskState } from '@runward/engine';
import type { Author } from '../access/actor.ts';
import { commentDataOf } from './comment-event.ts';
import type { Changed } from './events-of.ts';
import type { Ids, Named } from './queries/read-named.ts';

/** An event without the place of its fact. */
interface Draft {
  readonly event: EventName;
  readonly data: object;
}

/** Who has a task. */
type Assignees = Pick<TaskState, 'assigneeId' | 'assigneeGroupId'>;

const noOne: Assignees = { assigneeId: null, assigneeGroupId: null };

/**
 * Returns the events of each fact that say what people have to do (decision 0075). They have what a message needs, and
 * show the tasks as they are after the whole change. Must be called for all facts in their order.
 */
export function workEventsOf({ before, after, facts }: Changed, { userId }: Pick<Author, 'userId'>, named: Named) {
  const tasks = tasksOf(after);
  const assigned = new Map<string, Assignees>(before === null ? [] : tasksOf(before));
  const lastTimes = new Map(
    facts.flatMap((fact, index) => (mayBecomeReady(fact) ? [[fact.runTaskId, index] as const] : [])),
  );

  const about = (event: EventName, task: TaskState, { assigneeId, assigneeGroupId }: Assignees = task): Draft => ({
    event,
    data: {
      runId: after.id,
      templateId: after.templateId,
      runTaskId: task.id,
      taskId: task.definition.id,
      runTitle: after.title,
      runPublicId: after.publicId,
      actorUserId: userId,
      taskTitle: task.definition.title,
      assignee: named.member(assigneeId),
      assigneeGroup: named.group(assigneeGroupId),
      dueAt: task.dueAt,
      ready: isWaiting(after, task),
    },
  });
  const added = (started: readonly { readonly runTaskId: string }[]) => {
    const drafts: Draft[] = [];
    for (const { runTaskId } of started) {
      const task = tasks.get(runTaskId);
      if (task && isAssigned(task)) drafts.push(about('task.assigned', task));
      if (task && isWaiting(after, task)) drafts.push(about('task.ready', task));
    }
    return drafts;
  };

  return (fact: Fact, index: number): Draft[] => {
    if (fact.type === 'run.started') return added(fact.tasks);
    if (fact.type === 'run.migrated') return added(fact.added);
    if (fact.type === 'comment.created')
      return [{ event: 'comment.created', data: commentDataOf(after, fact, { userId }, named) }];
    const task = 'runTaskId' in fact ? tasks.get(fact.runTaskId ?? '') : undefined;
    if (!task) return [];
    if (fact.type === 'task.assigned') {
      const had = assigned.get(task.id) ?? noOne;
      assigned.set(task.id, fact);
      if (had.assigneeId === fact.assigneeId && had.assigneeGroupId === fact.assigneeGroupId) return [];
      return [
        ...(isAssigned(had) ? [about('task.unassigned', task, had)] : []),
        ...(isAssigned(fact) ? [about('task.assigned', task, fact)] : []),
      ];
    }
    if (mayBecomeReady(fact)) {
      return lastTimes.get(task.id) === index && isWaiting(after, task) ? [about('task.ready', task)] : [];
    }
    if (fact.type === 'task.reopened') return [about('task.reopened', task)];
    if (fact.type !== 'task.due_soon') return [];
    const { approval } = task;
    if (approval?.status !== 'REQUESTED') return [about('task.due_soon', task)];
    const { approverIds = [], approverGroupIds = [] } = task.definition.approval ?? {};
    const due = about('approval.due_soon', task);
    const approvers = approverIds.flatMap((id) => named.member(id) ?? []);
    const approverGroups = approverGroupIds.flatMap((id) => named.group(id) ?? []);
    const data = { ...due.data, executionEntryId: approval.entryId, approvers, approverGroups };
    return [about('task.due_soon', task), { ...due, data }];
  };
}

/** The members and groups that the events of a change name. */
export function namedBy({ before, after, facts }: Changed, { userId }: Pick<Author, 'userId'>): Ids {
  const userIds = new Set<string>();
  const groupIds = new Set<string>();
  const add = ({ assigneeId, assigneeGroupId }: Assignees) => {
    if (assigneeId !== null) userIds.add(assigneeId);
    if (assigneeGroupId !== null) groupIds.add(assigneeGroupId);
  };
  const addTask = (runTaskId: string) => {
    for (const run of [before, after]) {
      const task = run?.tasks.find(({ id }) => id === runTaskId);
      if (task) add(task);
    }
  };
  for (const fact of facts) {
    if (fact.type === 'run.started') for (const task of fact.tasks) add(task);
    if (fact.type === 'run.migrated') for (const task of fact.added) add(task);
    if (fact.type === 'task.assigned') add(fact);
    if (fact.type === 'comment.created') {
      if (userId !== null) userIds.add(userId);
      for (const id of fact.userIds) userIds.add(id);
      for (const id of fact.groupIds) groupIds.add(id);
    }
    if (fact.type === 'task.assigned' || fact.type === 'task.reopened' || fact.type === 'task.due_soon')
      addTask(fact.runTaskId);
    if (mayBecomeReady(fact)) addTask(fact.runTaskId);
    if (fact.type !== 'task.due_soon') continue;
    const task = after.tasks.find(({ id }) => id === fact.runTaskId);
    if (task?.approval?.status !== 'REQUESTED') continue;
    for (const id of task.definition.approval?.approverIds ?? []) userIds.add(id);
    for (const id of task.definition.approval?.approverGroupIds ?? []) groupIds.add(id);
  }
  return { userIds: [...userIds], groupIds: [...groupIds] };
}

function mayBecomeReady(fact: Fact): fact is Extract<Fact, { type: 'task.unblocked' | 'task.hidden' | 'task.shown' }> {
  return fact.type === 'task.unblocked' || fact.type === 'task.shown';
}

function isWaiting(run: RunState, task: TaskState): boolean {
  return isActive(run) && isReady(task);
}

function isAssigned({ assigneeId, assigneeGroupId }: Assignees): boolean {
  return assigneeId !== null || assigneeGroupId !== null;
}

function tasksOf({ tasks }: RunState): ReadonlyMap<string, TaskState> {
  return new Map(tasks.map((task) => [task.id, task]));
}
