import type { NotificationKind } from '@runward/contract';
import type { ActivityRow, EventRow } from '../history/history.ts';
import type { MailMember } from '../history/mail-history.ts';

/** What the checker reads of the data of events. */
export interface EventData {
  readonly runTaskId?: string | null;
  readonly executionEntryId?: string;
  readonly commentId?: string;
  readonly actorUserId?: string | null;
  readonly ready?: boolean;
  readonly mentions?: { readonly users: readonly { id: string }[]; readonly groups: readonly { id: string }[] };
}

/** The kind of notification that an event leads to. Other events notify nobody. */
export const kinds: Readonly<Record<string, NotificationKind>> = {
  'task.assigned': 'ASSIGNED',
  'task.ready': 'ASSIGNED',
  'task.reopened': 'ASSIGNED',
  'task.due_soon': 'DUE_SOON',
  'task.overdue': 'OVERDUE',
  'approval.requested': 'APPROVAL',
  'approval.due_soon': 'DUE_SOON',
  'approval.rejected': 'REJECTED',
  'comment.created': 'MENTIONED',
};

/**
 * The ids of the members whom an event concerns. Notifications are made some time after it, for whoever has the task or
 * has to approve it then. `certain` are those of whom this has not changed since.
 */
interface Concerned {
  readonly certain: ReadonlySet<string>;
  readonly possible: ReadonlySet<string>;
}

const nobody: Concerned = { certain: new Set(), possible: new Set() };

/** The members whom an event concerns. `facts` are those of its run. */
export function concerned(
  event: EventRow,
  data: EventData,
  facts: readonly ActivityRow[],
  members: readonly MailMember[],
  approverIds: readonly string[],
): Concerned {
  const kind = kinds[event.event];
  const reached = (ids: readonly unknown[]) =>
    members.filter(({ id, groupIds }) => [id, ...groupIds].some((each) => ids.includes(each))).map(({ id }) => id);
  if (kind === undefined || data.ready === false) return nobody;
  if (event.event.startsWith('task.')) {
    const assigned = facts.filter(({ type, runTaskId }) => type === 'task.assigned' && runTaskId === data.runTaskId);
    const before = assigned.filter(({ sequence }) => sequence <= event.sequence).slice(-1);
    const later = assigned.filter(({ sequence }) => sequence > event.sequence);
    const holders = (of: readonly ActivityRow[]) =>
      new Set(of.flatMap(({ line }) => reached([line.data['assigneeId'], line.data['assigneeGroupId']])));
    return { certain: later.length === 0 ? holders(before) : new Set(), possible: holders([...before, ...later]) };
  }
  if (kind === 'MENTIONED') {
    const { users = [], groups = [] } = data.mentions ?? {};
    const ids = new Set(reached([...users, ...groups].map(({ id }) => id)));
    return { certain: ids, possible: ids };
  }
  const isCertain = laterChanges(event, data, facts).length === 0;
  if (kind === 'REJECTED') {
    const ofEntry = facts.filter(({ line }) => line.data['entryId'] === data.executionEntryId);
    const authors = ofEntry.filter(({ type }) => type === 'entry.opened' || type === 'value.submitted');
    const ids = new Set(authors.flatMap(({ line }) => line.actor.userId ?? []));
    return { certain: isCertain ? ids : new Set(), possible: ids };
  }
  const ids = new Set(approverIds);
  return { certain: isCertain ? ids : new Set(), possible: ids };
}

/** Facts that say nothing about whether a notification still holds. */
const withoutEffect = new Set([
  'task.due_soon',
  'task.overdue',
  'run.overdue',
  'run.on_time',
  'run.rules_synchronized',
  'comment.created',
  'comment.edited',
  'comment.deleted',
]);

/** The facts after an event because of which what it said may no longer hold. */
export function laterChanges(
  { event, sequence }: EventRow,
  { runTaskId, commentId }: EventData,
  facts: readonly ActivityRow[],
): readonly ActivityRow[] {
  return facts
    .filter((fact) => fact.sequence > sequence)
    .filter(({ type, line, ...fact }) =>
      event === 'comment.created'
        ? type === 'comment.deleted' && line.data['commentId'] === commentId
        : !withoutEffect.has(type) && (fact.runTaskId === null || fact.runTaskId === runTaskId),
    );
}
