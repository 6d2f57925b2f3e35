import type { NotificationChoice, NotificationKind } from '@runward/contract';
import type { SmtpReply } from '@runward/testing/mail/smtp';

/** What the service told members by mail, as input of its checkers. Times are in epoch milliseconds. */
export interface MailHistory {
  readonly members: readonly MailMember[];
  /** The members who may approve the task that needs an approval. */
  readonly approverIds: readonly string[];
  readonly notifications: readonly NotificationRow[];
  readonly mails: readonly MailRow[];
  /** The log of the mail server, in the order of its answers. */
  readonly received: readonly Reception[];
}

/** A member. Their groups and choices stay the same during the run. */
export interface MailMember {
  readonly id: string;
  readonly groupIds: readonly string[];
  readonly choices: Partial<Record<NotificationKind, NotificationChoice>>;
}

/** A row of `notifications`. */
export interface NotificationRow {
  readonly id: string;
  readonly userId: string;
  readonly kind: string;
  readonly eventId: string;
  readonly dueAt: number;
  readonly mailId: string | null;
  readonly droppedReason: string | null;
}

/** A row of `mails`. */
export interface MailRow {
  readonly id: string;
  readonly userId: string;
  readonly to: string;
  readonly messageId: string;
  readonly status: 'PENDING' | 'SENT' | 'BOUNCED' | 'FAILED';
  /** How many attempts were recorded. */
  readonly attempts: number;
}

/** A mail as the mail server logged it, when it had all of it. */
export interface Reception {
  readonly arrivedAt: number;
  readonly respondedAt: number;
  readonly messageId: string;
  /** The recipient of the envelope. */
  readonly to: string;
  /** The worker that sent it. */
  readonly worker: string;
  readonly reply: SmtpReply;
}
