import { z } from 'zod';
import type { Group } from '../endpoint.ts';
import { notificationChoices } from './kinds.ts';

const choice = z.enum(notificationChoices).meta({
  id: 'NotificationChoice',
  description: 'AT_ONCE: within about two minutes. DIGEST: in one mail a day. NEVER: not by mail.',
});

const kinds = z
  .strictObject({
    ASSIGNED: choice.meta({
      description: 'A task is assigned to the member or a group of theirs, or can be worked on.',
    }),
    APPROVAL: choice.meta({ description: 'An approval waits for the member. Nobody is told if no approver is named.' }),
    DUE_SOON: choice.meta({ description: 'A task or an approval of the member is due soon.' }),
    OVERDUE: choice.meta({ description: 'A task of the member is overdue.' }),
    REJECTED: choice.meta({ description: 'A form that the member filled in was not approved.' }),
    MENTIONED: choice.meta({ description: 'A comment mentions the member or a group of theirs.' }),
  })
  .meta({ id: 'NotificationKinds', description: 'When a member is told, for each kind of notification.' });

const anHour = 'must be a whole number from 0 to 23';

const digestHour = z
  .int(anHour)
  .min(0, anHour)
  .max(23, anHour)
  .meta({ description: 'Hour of the daily mail, from 0 to 23, in the time zone of the organization.' });

const preferences = z
  .strictObject({
    kinds,
    digestHour,
    mailEnabled: z.boolean().meta({ description: 'Whether this service sends mail at all. Read-only.' }),
  })
  .meta({ id: 'NotificationPreferences', description: 'What a member is told by mail, and when.' });

/** What the caller is told by mail. */
export const notificationPreferences = {
  get: {
    method: 'GET',
    path: '/me/notifications',
    access: 'session',
    summary: 'Get what you are told by mail',
    description: 'Every kind is AT_ONCE until you choose otherwise, and the hour is 8.',
    status: 200,
    response: preferences,
  },
  update: {
    method: 'PATCH',
    path: '/me/notifications',
    access: 'session',
    summary: 'Choose what you are told by mail',
    description:
      'Kinds and properties that are left out do not change. Nobody is told of their own actions, or of what is over when the mail is written.',
    body: z
      .strictObject({
        kinds: kinds.partial().meta({ id: 'NotificationKindChanges', description: 'New choices by kind.' }),
        digestHour,
      })
      .partial()
      .meta({ id: 'UpdateNotificationPreferences', description: 'Changes to what a member is told by mail.' }),
    status: 200,
    response: preferences,
  },
} as const satisfies Group;
