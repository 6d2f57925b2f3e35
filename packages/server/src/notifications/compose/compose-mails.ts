import type { Limits } from '@runward/contract';
import type { Database, Em } from '../../database/database.ts';
import { inTransaction } from '../../database/transaction.ts';
import { newIdAt } from '../../ids.ts';
import { User } from '../../organization/entities/user.ts';
import { numberOf } from '../../words.ts';
import { Mail } from '../entities/mail.ts';
import { Notification } from '../entities/notification.ts';
import { lockCursor } from '../queries/advance-cursors.ts';
import { scheduleMail } from '../queries/limit-mails.ts';
import { contentOf } from './mail-content.ts';

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
  const user = await em.findOneOrFail(User, { organizationId, id: userId });
  const mailId = newIdAt(now);
  const content = await contentOf(em, user, notifications, { mailId, baseUrl });
  if (!content) return;
  const scheduled = await scheduleMail(em, { organizationId, userId }, limits, now);
  em.create(Mail, {
    organizationId,
    id: mailId,
    userId,
    toAddress: user.email,
    messageId: `<${mailId}@${domain}>`,
    ...content,
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
