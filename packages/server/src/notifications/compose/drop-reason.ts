import type { NotificationChoice } from '@runward/contract';
import { awaitedApprovers, isActive, isReady, type TaskState } from '@runward/engine';
import type { ResourceScope } from '../../access/actor.ts';
import { isInScope } from '../../access/resource-scope/ensure-in-scope.ts';
import type { LoadedRun } from '../../runs/store/load.ts';
import type { DropReason, Notification } from '../entities/notification.ts';

/** The facts about a member that decide which notifications they get. */
export interface Reader {
  readonly id: string;
  readonly isActive: boolean;
  /** The groups that they belong to. */
  readonly groupIds: ReadonlySet<string>;
  readonly resourceScope: ResourceScope;
  /** What they have chosen for a kind. */
  readonly choiceOf: (kind: Notification['kind']) => NotificationChoice;
}

/**
 * Why a notification must not be sent any more; null if it still holds. `run` is null if what it is about no longer
 * exists.
 */
export function dropReason(
  { kind, runTaskId }: Pick<Notification, 'kind' | 'runTaskId'>,
  run: Pick<LoadedRun, 'state' | 'template'> | null,
  reader: Reader,
): DropReason | null {
  if (!reader.isActive) return 'DEACTIVATED';
  if (reader.choiceOf(kind) === 'NEVER') return 'UNWANTED';
  if (!run) return 'OBSOLETE';
  const task = run.state.tasks.find(({ id }) => id === runTaskId);
  if (!isInScope(reader.resourceScope, run.template, task)) return 'OUT_OF_SCOPE';
  if (kind === 'MENTIONED') return null;
  const { state } = run;
  return task && isActive(state) && state.archivedAt === null && isReady(task) && holds(kind, task, reader)
    ? null
    : 'OBSOLETE';
}

function holds(kind: Exclude<Notification['kind'], 'MENTIONED'>, task: TaskState, reader: Reader): boolean {
  switch (kind) {
    case 'ASSIGNED':
      return hasTask(task, reader) && task.status === 'PENDING';
    case 'APPROVAL':
      return isAwaited(task, reader);
    case 'DUE_SOON':
      // A deadline that was moved gets another reminder, whose time is set.
      return task.dueSoonAt === null && (hasTask(task, reader) || isAwaited(task, reader));
    case 'OVERDUE':
      return task.overdueSignalled && hasTask(task, reader);
    case 'REJECTED':
      return task.approval?.status === 'REJECTED';
  }
}

function hasTask({ assigneeId, assigneeGroupId }: TaskState, { id, groupIds }: Reader): boolean {
  return assigneeId === id || groupIds.has(assigneeGroupId ?? '');
}

function isAwaited(task: TaskState, reader: Reader): boolean {
  const awaited = awaitedApprovers(task);
  if (!awaited || awaited.excludedUserIds.includes(reader.id)) return false;
  return awaited.userIds.includes(reader.id) || awaited.groupIds.some((id) => reader.groupIds.has(id));
}
