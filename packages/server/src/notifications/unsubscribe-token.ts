import { formats } from '@runward/contract';
import { signToken, verifyToken } from '../adapters/signed-token.ts';
import type { Em } from '../database/database.ts';
import { NotificationCursor } from './entities/notification-cursor.ts';

/** Where the links in mails lead; the token is behind it. */
export const unsubscribePath = '/mail/unsubscribe';

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
  const signed = signToken(Buffer.from(unsubscribeKey), userId, new Date(now.getTime() + validMs));
  return `${signed}.${organizationId}`;
}

/** Reads such a token. Null if it is none, was altered, or has expired. */
export async function readUnsubscribeToken(em: Em, token: string, now: Date): Promise<Unsubscriber | null> {
  const end = token.lastIndexOf('.');
  const organizationId = token.slice(end + 1);
  if (!formats.isId(organizationId)) return null;
  const cursor = await em.findOne(NotificationCursor, { organizationId });
  const userId = cursor && verifyToken<string>(Buffer.from(cursor.unsubscribeKey), token.slice(0, end), now)?.content;
  return userId ? { organizationId, userId } : null;
}
