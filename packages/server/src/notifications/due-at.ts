import type { NotificationChoice } from '@runward/contract';
import { nextHour } from '../calendar.ts';

/** What decides when a member is notified. */
export interface Timing {
  readonly choice: Exclude<NotificationChoice, 'NEVER'>;
  readonly digestHour: number;
  /** The time zone of the organization. */
  readonly timeZone: string;
  /** When the next mail to the member is written; null if nothing is pending. */
  readonly pendingAt: Date | null;
  /** How long a mail waits for further changes. */
  readonly delaySeconds: number;
}

/** When the mail with a new notification is written: a delay after the first one in it, or at the member's hour. */
export function dueAt({ choice, digestHour, timeZone, pendingAt, delaySeconds }: Timing, now: Date): Date {
  if (choice === 'DIGEST') return nextHour(digestHour, timeZone, now);
  const own = new Date(now.getTime() + delaySeconds * 1_000);
  return pendingAt !== null && pendingAt < own ? pendingAt : own;
}
