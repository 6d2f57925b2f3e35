import type { NotificationChoice } from '@runward/contract';
import { nextHour } from '../calendar.ts';

/** Changes within this time share a mail. */
const bundledMs = 120_000;

/** What decides when a member is notified. */
export interface Timing {
  readonly choice: Exclude<NotificationChoice, 'NEVER'>;
  readonly digestHour: number;
  /** The time zone of the organization. */
  readonly timeZone: string;
  /** When the next mail to the member is written; null if nothing is pending. */
  readonly pendingAt: Date | null;
}

/** When the mail with a new notification is written: two minutes after the first one in it, or at the member's hour. */
export function dueAt({ choice, digestHour, timeZone, pendingAt }: Timing, now: Date): Date {
  if (choice === 'DIGEST') return nextHour(digestHour, timeZone, now);
  const own = new Date(now.getTime() + bundledMs);
  return pendingAt !== null && pendingAt < own ? pendingAt : own;
}
