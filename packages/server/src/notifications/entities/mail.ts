import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import { mailLimits, mailStatuses } from '@runward/contract';
import { references } from '../../database/references.ts';

/** One attempt to send a mail. Either the mail server accepted it with `response`, or `error` says what went wrong. */
export interface MailAttempt {
  readonly at: string;
  readonly response: string | null;
  readonly error: string | null;
}

/**
 * A mail to a member: the outbox. `text` and `html` lack the link for unsubscribing, which is added when the mail is
 * sent. `scheduledAt` is the earliest time that the limits permit, and `heldBy` the limit that moved it. During an
 * attempt, `leaseToken` identifies the attempt, and `nextAttemptAt` is when another worker may take over. `tries`
 * counts the attempts since the retry schedule last began.
 */
export const Mail = defineEntity({
  name: 'Mail',
  tableName: 'mails',
  properties: {
    organizationId: p.uuid().primary(),
    id: p.uuid().primary(),
    userId: references('users'),
    toAddress: p.text(),
    messageId: p.text(),
    subject: p.text(),
    text: p.text(),
    html: p.text(),
    status: p.enum(mailStatuses),
    heldBy: p.enum(mailLimits).nullable(),
    attempts: p.json<readonly MailAttempt[]>().defaultRaw(`'[]'`),
    tries: p.integer().default(0),
    scheduledAt: p.datetime(),
    nextAttemptAt: p.datetime().nullable(),
    leaseToken: p.uuid().nullable(),
    createdAt: p.datetime(),
    sentAt: p.datetime().nullable(),
  },
  indexes: [
    { name: 'mails_due_index', properties: ['nextAttemptAt'], where: "status = 'PENDING'" },
    { name: 'mails_organization_index', properties: ['organizationId', 'scheduledAt'] },
    { name: 'mails_member_index', properties: ['organizationId', 'userId', 'scheduledAt'] },
  ],
});

/** A row of `mails`. */
export type Mail = InferEntity<typeof Mail>;
