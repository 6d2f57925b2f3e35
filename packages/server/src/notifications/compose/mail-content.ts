import type { RunState } from '@runward/engine';
import { findMemberAccess } from '../../access/queries/member-access.ts';
import { resourceScopeOfMember } from '../../access/resource-scope/of-member.ts';
import type { Em } from '../../database/database.ts';
import { GroupMember } from '../../organization/entities/group-member.ts';
import { Organization } from '../../organization/entities/organization.ts';
import type { User } from '../../organization/entities/user.ts';
import { RunComment } from '../../runs/entities/run-comment.ts';
import { loadRuns } from '../../runs/store/load.ts';
import { NotificationPreference } from '../entities/notification-preference.ts';
import type { Notification } from '../entities/notification.ts';
import { dropReason, type Reader } from './drop-reason.ts';
import { writeMail, type Item, type MailContent } from './write-mail.ts';

/**
 * What a mail to a member says of the notifications that still hold, which become part of it; null if none does. The
 * others get the reason why they are dropped. `baseUrl` is where members reach this service, without a trailing slash.
 */
export async function contentOf(
  em: Em,
  user: User,
  notifications: readonly Notification[],
  { mailId, baseUrl }: { readonly mailId: string; readonly baseUrl: string },
): Promise<MailContent | null> {
  const { organizationId } = user;
  const { name: organizationName, timeZone } = await em.findOneOrFail(Organization, { id: organizationId });
  const listed = await itemsOf(em, organizationId, notifications, await readerOf(em, user));
  const items = new Map<string, Item>();
  for (const notification of notifications) {
    const item = listed.get(notification);
    notification.mailId = item ? mailId : null;
    const { kind, runId, runTaskId } = notification;
    // A task that several events are about is listed once.
    if (item) items.set(`${kind} ${runTaskId ?? runId}`, item);
  }
  const [first, ...rest] = items.values();
  return first ? writeMail([first, ...rest], { baseUrl, organizationName, timeZone }) : null;
}

async function readerOf(em: Em, user: User): Promise<Reader> {
  const { organizationId, id, status } = user;
  const memberships = await em.find(GroupMember, { organizationId, userId: id });
  const preference = await em.findOne(NotificationPreference, { organizationId, userId: id });
  return {
    id,
    isActive: status === 'ACTIVE',
    groupIds: new Set(memberships.map(({ groupId }) => groupId)),
    resourceScope: resourceScopeOfMember({ ...(await findMemberAccess(em, user)), userId: id, runTaskId: null }),
    choiceOf: (kind) => preference?.kinds[kind] ?? 'AT_ONCE',
  };
}

/** What a mail says of the notifications that still hold. The others get the reason why they are dropped. */
async function itemsOf(em: Em, organizationId: string, notifications: readonly Notification[], reader: Reader) {
  const deleted = await deletedComments(em, organizationId, notifications);
  const ofRun = Map.groupBy(notifications, ({ runId }) => runId);
  const items = new Map<Notification, Item>();
  for (const notification of notifications) notification.droppedReason = dropReason(notification, null, reader);
  // Only their items are kept, because all the runs of a mail might not fit in memory.
  for await (const batch of loadRuns(em, organizationId, [...ofRun.keys()])) {
    for (const run of batch) {
      for (const notification of ofRun.get(run.state.id) ?? []) {
        if (deleted.has(notification.commentId ?? '')) continue;
        notification.droppedReason = dropReason(notification, run, reader);
        if (notification.droppedReason === null) items.set(notification, itemOf(notification, run.state));
      }
    }
  }
  return items;
}

/** The ids of comments that were deleted since the notifications of them were made. */
async function deletedComments(em: Em, organizationId: string, notifications: readonly Notification[]) {
  const ids = notifications.flatMap(({ commentId }) => commentId ?? []);
  if (ids.length === 0) return new Set<string>();
  const deleted = await em.find(RunComment, { organizationId, id: { $in: ids }, deletedAt: { $ne: null } });
  return new Set(deleted.map(({ id }) => id));
}

function itemOf({ kind, runTaskId }: Notification, run: RunState): Item {
  const task = run.tasks.find(({ id }) => id === runTaskId);
  return {
    kind,
    title: task?.definition.title ?? run.title,
    runTitle: run.title,
    path: task ? `/console/tasks/${task.id}` : `/console/runs/${run.id}`,
    due: task?.dueAt == null ? null : { at: task.dueAt, hasTime: task.dueAtHasTime },
  };
}
