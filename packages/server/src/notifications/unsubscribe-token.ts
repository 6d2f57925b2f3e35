import { signToken } from '../adapters/signed-token.ts';
import type { NotificationCursor } from './entities/notification-cursor.ts';

/** The member whose mails a token stops. */
export interface Unsubscriber {
  readonly organizationId: string;
  readonly userId: string;
}

/** How long the link in a mail works. */
const validMs = 365 * 86_400_000;

/** Creates the token with which a member stops mails without signing in. */
export function unsubscribeToken(
  { organizationId, userId, unsubscribeKey }: Unsubscriber & Pick<NotificationCursor, 'unsubscribeKey'>,
  now: Date,
): string {
  return `${organizationId}.${signToken(Buffer.from(unsubscribeKey), userId, new Date(now.getTime() + validMs))}`;
}
