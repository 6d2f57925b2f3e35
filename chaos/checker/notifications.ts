import type { ActivityRow, EventRow, History, Violation } from '../history/history.ts';
import type { MailMember, NotificationRow } from '../history/mail-history.ts';
import { concerned, kinds, laterChanges, type EventData } from './concerned.ts';

/**
 * Checks that every event that concerns a member who wants to be told has led to one notification of the right kind,
 * and that nothing else has. One that was dropped says why, and the activity shows that it no longer held.
 */
export function checkNotifications({
  activity,
  events,
  mail,
}: Pick<History, 'activity' | 'events' | 'mail'>): Violation[] {
  const byRun = Map.groupBy(activity, ({ runId }) => runId);
  const byEvent = Map.groupBy(mail.notifications, ({ eventId }) => eventId);
  const known = new Set(events.map(({ id }) => id));
  const ofNoEvent = mail.notifications.filter(({ eventId }) => !known.has(eventId));
  return [
    ...ofNoEvent.map(({ id, eventId }) => ({ rule: 'phantom notification', detail: `${id} has no event ${eventId}` })),
    ...events.flatMap((event) =>
      problemsOf(event, byEvent.get(event.id) ?? [], byRun.get(event.runId) ?? [], mail.members, mail.approverIds),
    ),
  ];
}

function problemsOf(
  event: EventRow,
  actual: readonly NotificationRow[],
  facts: readonly ActivityRow[],
  members: readonly MailMember[],
  approverIds: readonly string[],
): Violation[] {
  const { data } = JSON.parse(event.body) as { readonly data: EventData };
  const name = `${event.event} ${event.id} of run ${event.runId}`;
  const kind = kinds[event.event];
  const { certain, possible } = concerned(event, data, facts, members, approverIds);
  const wants = ({ id, choices }: MailMember) =>
    kind !== undefined && choices[kind] !== 'NEVER' && id !== data.actorUserId;
  const wanted = new Set(members.filter((member) => possible.has(member.id) && wants(member)).map(({ id }) => id));
  const byMember = Map.groupBy(actual, ({ userId }) => userId);
  return [
    ...[...wanted]
      .filter((id) => certain.has(id) && !byMember.has(id))
      .map((id) => ({ rule: 'lost notification', detail: `${name} did not notify ${id}` })),
    ...[...byMember]
      .filter(([, { length }]) => length > 1)
      .map(([id, { length }]) => ({
        rule: 'duplicate notification',
        detail: `${name} notified ${id} ${length} times`,
      })),
    ...actual
      .filter((each) => !wanted.has(each.userId) || each.kind !== kind)
      .map((each) => ({ rule: 'phantom notification', detail: `${name} notified ${each.userId} as ${each.kind}` })),
    ...actual.flatMap(({ userId, droppedReason }): Violation[] => {
      const holds = laterChanges(event, data, facts).length === 0;
      if (droppedReason === null || (droppedReason === 'OBSOLETE' && !holds)) return [];
      return [{ rule: 'dropped notification', detail: `${name} for ${userId} was dropped as ${droppedReason}` }];
    }),
  ];
}
