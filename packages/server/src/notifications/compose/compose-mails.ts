import type { Limits } from '@runward/contract';
import type { RunState } from '@runward/engine';
import { findMemberAccess } from '../../access/queries/member-access.ts';
import { resourceScopeOfMember } from '../../access/resource-scope/of-member.ts';
import type { Database, Em } from '../../database/database.ts';
import { inTransaction } from '../../database/transaction.ts';
import { newIdAt } from '../../ids.ts';
import { GroupMember } from '../../organization/entities/group-member.ts';
import { Organization } from '../../organization/entities/organization.ts';
import { User } from '../../organization/entities/user.ts';
import { RunComment } from '../../runs/entities/run-comment.ts';
import { loadRuns } from '../../runs/store/load.ts';
import { numberOf } from '../../words.ts';
import { Mail } from '../entities/mail.ts';
import { NotificationPreference } from '../entities/notification-preference.ts';
import { Notification } from '../entities/notification.ts';
import { lockCursor } from '../queries/advance-cursors.ts';
import { scheduleMail } from '../queries/limit-mails.ts';
import { dropReason, type Reader } from './drop-reason.ts';
import { writeMail, type Item } from './write-mail.ts';

/** How mails are written. */
export interface ComposeSettings {
  /** Where members reach this service, without a trailing slash. */
  readonly baseUrl: string;
  /** What is behind the `@` of Message-IDs. */
  readonly domain: string;
  readonly limits: Limits;
}

/** The most notifications that one mail takes. The others follow in the next one. */
const batchSize = 1_000;

/**
 * Writes the mails of an organization whose notifications are due: one for each member. Notifications that no longer
 * hold are dropped. The signal ends it between two mails. Throws an `AggregateError` at the end if mails failed.
 */
export async function composeMails(
  database: Database,
  organizationId: string,
  settings: ComposeSettings,
  signal: AbortSignal,
  now = new Date(),
): Promise<void> {
  const failures: unknown[] = [];
  const failedUserIds: string[] = [];
  let isDone = false;
  while (!isDone && !signal.aborted) {
    let userId: string | null = null;
    try {
      isDone = await inTransaction(database, async (em) => {
        await lockCursor(em, organizationId);
        const pending = { organizationId, mailId: null, droppedReason: null, dueAt: { $lte: now } };
        const rest = { ...pending, userId: { $nin: failedUserIds } };
        const [first] = await em.find(Notification, rest, { orderBy: { dueAt: 'asc' }, limit: 1 });
        if (!first) return true;
        const member = first.userId;
        userId = member;
        const due = { ...pending, userId: member };
        const own = await em.find(Notification, due, { orderBy: { dueAt: 'asc' }, limit: batchSize });
        await composeMail(em, { organizationId, userId: member }, own, settings, now);
        return false;
      });
    } catch (error) {
      if (userId === null) throw error;
      // The other members get their mails. This one is tried again when the job runs next.
      failedUserIds.push(userId);
      failures.push(error);
    }
  }
  if (failures.length > 0)
    throw new AggregateError(failures, `Mails to ${numberOf(failures.length, 'member')} were not written.`);
}

/** Writes the mail of one member, unless all its notifications have to be dropped. */
async function composeMail(
  em: Em,
  { organizationId, userId }: Pick<Mail, 'organizationId' | 'userId'>,
  notifications: readonly Notification[],
  { baseUrl, domain, limits }: ComposeSettings,
  now: Date,
): Promise<void> {
  const { name: organizationName, timeZone } = await em.findOneOrFail(Organization, { id: organizationId });
  const user = await em.findOneOrFail(User, { organizationId, id: userId });
  const reader = await readerOf(em, user);
  const listed = await itemsOf(em, organizationId, notifications, reader);
  const items = new Map<string, Item>();
  const mailId = newIdAt(now);
  for (const notification of notifications) {
    const item = listed.get(notification);
    if (!item) continue;
    notification.mailId = mailId;
    const { kind, runId, runTaskId } = notification;
    // A task that several events are about is listed once.
    items.set(`${kind} ${runTaskId ?? runId}`, item);
  }
  const [first, ...rest] = items.values();
  if (!first) return;
  const scheduled = await scheduleMail(em, { organizationId, userId }, limits, now);
  em.create(Mail, {
    organizationId,
    id: mailId,
    userId,
    toAddress: user.email,
    messageId: `<${mailId}@${domain}>`,
    ...writeMail([first, ...rest], { baseUrl, organizationName, timeZone }),
    status: 'PENDING',
    attempts: [],
    tries: 0,
    ...scheduled,
    nextAttemptAt: scheduled.scheduledAt,
    leaseToken: null,
    createdAt: now,
    sentAt: null,
  });
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
