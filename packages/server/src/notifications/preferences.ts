import { defaultDigestHour, notificationKinds, type NotificationChoice, type Parts } from '@runward/contract';
import type { Handlers } from '../access/handler.ts';
import type { RequestContext } from '../access/request-context.ts';
import { NotificationPreference } from './entities/notification-preference.ts';
import { savePreferences } from './queries/save-preferences.ts';

const allAtOnce: NotificationPreference['kinds'] = Object.fromEntries(
  notificationKinds.map((kind) => [kind, 'AT_ONCE']),
);

/** The notifications that the caller gets by mail. */
export const notificationPreferences: Handlers<Parts['notificationPreferences']> = {
  get: read,

  update: async ({ body, ...context }) => {
    await savePreferences(context.em, context.actor, body);
    return read(context);
  },
};

async function read({ em, actor: { organizationId, userId }, ports: { smtp } }: RequestContext) {
  const own = await em.findOne(NotificationPreference, { organizationId, userId });
  const kinds = { ...allAtOnce, ...own?.kinds } as Record<(typeof notificationKinds)[number], NotificationChoice>;
  return { kinds, digestHour: own?.digestHour ?? defaultDigestHour, mailEnabled: smtp !== null };
}
