import type { DeliveryPayload, NotificationKind } from '@runward/contract';

/** What an event notifies members of. */
export interface Announcement {
  readonly eventId: string;
  readonly kind: NotificationKind;
  /**
   * Who is notified: who has the task, who has yet to approve it, who filled in the entry, or the members and groups
   * that are named.
   */
  readonly audience: 'ASSIGNEES' | 'APPROVERS' | 'AUTHORS' | 'NAMED';
  readonly runId: string;
  readonly runTaskId: string | null;
  readonly entryId: string | null;
  readonly commentId: string | null;
  /** Who caused the event, and is not notified. Null if the service did. */
  readonly actorUserId: string | null;
  /** The members and groups that are named. */
  readonly namedIds: readonly string[];
}

/** What announcements read of the data of events. Each event has some of it. */
interface EventData {
  readonly runId: string;
  readonly runTaskId?: string | null;
  readonly executionEntryId?: string;
  readonly commentId?: string;
  readonly actorUserId?: string | null;
  readonly ready?: boolean;
  readonly mentions?: Readonly<Record<'users' | 'groups', readonly { readonly id: string }[]>>;
}

const audiences: Readonly<Record<string, Pick<Announcement, 'kind' | 'audience'>>> = {
  'task.assigned': { kind: 'ASSIGNED', audience: 'ASSIGNEES' },
  'task.ready': { kind: 'ASSIGNED', audience: 'ASSIGNEES' },
  'task.reopened': { kind: 'ASSIGNED', audience: 'ASSIGNEES' },
  'task.due_soon': { kind: 'DUE_SOON', audience: 'ASSIGNEES' },
  'task.overdue': { kind: 'OVERDUE', audience: 'ASSIGNEES' },
  'approval.requested': { kind: 'APPROVAL', audience: 'APPROVERS' },
  'approval.due_soon': { kind: 'DUE_SOON', audience: 'APPROVERS' },
  'approval.rejected': { kind: 'REJECTED', audience: 'AUTHORS' },
  'comment.created': { kind: 'MENTIONED', audience: 'NAMED' },
};

/** What an event notifies members of; null for nothing. Nobody is notified of a task that cannot be worked on yet. */
export function announcementOf({ event, deliveryId, data }: DeliveryPayload): Announcement | null {
  const announced = audiences[event];
  const { runId, runTaskId, executionEntryId, commentId, actorUserId, ready, mentions } = data as EventData;
  if (!announced || ready === false) return null;
  return {
    ...announced,
    eventId: deliveryId,
    runId,
    runTaskId: runTaskId ?? null,
    entryId: executionEntryId ?? null,
    commentId: commentId ?? null,
    actorUserId: actorUserId ?? null,
    namedIds: [...(mentions?.users ?? []), ...(mentions?.groups ?? [])].map(({ id }) => id),
  };
}
