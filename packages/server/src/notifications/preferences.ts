import { defaultDigestHour, notificationKinds, type NotificationChoice, type Parts } from '@runward/contract';
import type { Handlers } from '../access/handler.ts';
import type { RequestContext } from '../access/request-context.ts';
import { recordChange } from '../audit-log/record-change.ts';
import { userTarget } from '../organization/audited.ts';
import { User } from '../organization/entities/user.ts';
import { NotificationPreference } from './entities/notification-preference.ts';
import { savePreferences } from './queries/save-preferences.ts';

const allAtOnce: NotificationPreference['kinds'] = Object.fromEntries(
  notificationKinds.map((kind) => [kind, 'AT_ONCE']),
);

/** The notifications that the caller gets by mail. */
export const notificationPreferences: Handlers<Parts['notificationPreferences']> = {
  get: read,

  update: async ({ body, ...context }) => {
    const before = await read(context);
    await savePreferences(context.em, context.actor, body);
    const after = await read(context);
    await recordPreferences(context, before, after);
    return after;
  },
};

type Preferences = Awaited<ReturnType<typeof read>>;

async function read({ em, actor: { organizationId, userId }, ports: { smtp } }: RequestContext) {
  const own = await em.findOne(NotificationPreference, { organizationId, userId }, { refresh: true });
  const kinds = { ...allAtOnce, ...own?.kinds } as Record<(typeof notificationKinds)[number], NotificationChoice>;
  return { kinds, digestHour: own?.digestHour ?? defaultDigestHour, mailEnabled: smtp !== null };
}

/** Those of owners and admins are recorded, because they are how they learn what happens in the organization. */
async function recordPreferences(context: RequestContext, before: Preferences, after: Preferences): Promise<void> {
  const { organizationId, userId: id, role } = context.actor;
  if (role === 'MEMBER') return;
  const target = userTarget(await context.em.findOneOrFail(User, { organizationId, id }));
  await recordChange(context, { action: 'user.notifications_updated', target, before, after });
}
