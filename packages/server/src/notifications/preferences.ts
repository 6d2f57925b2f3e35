import {
  defaultDigestHour,
  isAdministrator,
  notificationKinds,
  type NotificationChoice,
  type Parts,
} from '@runward/contract';
import type { Handlers } from '../access/handler.ts';
import type { RequestContext } from '../access/request-context.ts';
import { recordChange, type AuditContext } from '../audit-log/record-change.ts';
import { userTarget } from '../organization/audited.ts';
import { User } from '../organization/entities/user.ts';
import { NotificationPreference } from './entities/notification-preference.ts';
import { savePreferences } from './queries/save-preferences.ts';
import type { Unsubscriber } from './unsubscribe-token.ts';

const allAtOnce: NotificationPreference['kinds'] = Object.fromEntries(
  notificationKinds.map((kind) => [kind, 'AT_ONCE']),
);

/** The notifications that the caller gets by mail. */
export const notificationPreferences: Handlers<Parts['notificationPreferences']> = {
  get: async (context) => read(context, context.actor),
  update: async ({ body, ...context }) => changePreferences(context, context.actor, body),
};

/**
 * Changes choices of a member, and returns all of them. Those of owners and admins are recorded, because they are how
 * they learn what happens in the organization.
 */
export async function changePreferences(
  context: AuditContext & Pick<RequestContext, 'ports'>,
  member: Unsubscriber,
  changes: Parameters<typeof savePreferences>[2],
) {
  const { em } = context;
  const { organizationId, userId: id } = member;
  const before = await read(context, member);
  await savePreferences(em, member, changes);
  const after = await read(context, member);
  const user = await em.findOneOrFail(User, { organizationId, id });
  if (isAdministrator(user.role))
    await recordChange(context, { action: 'user.notifications_updated', target: userTarget(user), before, after });
  return after;
}

async function read(
  { em, ports: { smtp } }: Pick<RequestContext, 'em' | 'ports'>,
  { organizationId, userId }: Unsubscriber,
) {
  const own = await em.findOne(NotificationPreference, { organizationId, userId }, { refresh: true });
  const kinds = { ...allAtOnce, ...own?.kinds } as Record<(typeof notificationKinds)[number], NotificationChoice>;
  return { kinds, digestHour: own?.digestHour ?? defaultDigestHour, mailEnabled: smtp !== null };
}
