import { z } from 'zod';
import { component } from '../component.ts';
import type { Group } from '../endpoint.ts';
import { integer } from '../values.ts';
import { notificationChoices } from './kinds.ts';

const choice = z.enum(notificationChoices).meta({
  id: 'NotificationChoice',
  description: 'AT_ONCE: within about two minutes. DIGEST: in one mail a day. NEVER: not by mail.',
});

const kinds = component('NotificationKinds', 'When a member is notified, for each kind of notification.', {
  ASSIGNED: choice.describe('A task is assigned to the member or a group of theirs, or can be worked on.'),
  APPROVAL: choice.describe('An approval waits for the member. If no approver is named, nobody is notified.'),
  DUE_SOON: choice.describe('A task or an approval of the member is due soon.'),
  OVERDUE: choice.describe('A task of the member is overdue.'),
  REJECTED: choice.describe('A form that the member filled in was not approved.'),
  MENTIONED: choice.describe('A comment mentions the member or a group of theirs.'),
});

const digestHour = integer(0, 23).describe(
  'Hour of the daily mail, from 0 to 23, in the time zone of the organization.',
);

const preferences = component('NotificationPreferences', 'Which notifications a member gets by mail, and when.', {
  kinds,
  digestHour,
  mailEnabled: z.boolean().describe('Whether this service sends mail at all. Read-only.'),
});

/** The notifications that the caller gets by mail. */
export const notificationPreferences = {
  get: {
    method: 'GET',
    path: '/me/notifications',
    access: 'session',
    summary: 'Get the notification preferences',
    description: 'Every kind is AT_ONCE until you choose otherwise, and the hour is 8.',
    response: preferences,
  },
  update: {
    method: 'PATCH',
    path: '/me/notifications',
    access: 'session',
    summary: 'Update the notification preferences',
    description:
      'Kinds and properties that are left out do not change. Members are not notified of their own actions, nor of what no longer applies when the mail is written.',
    body: z
      .strictObject({
        kinds: kinds.partial().meta({ id: 'NotificationKindChanges', description: 'New choices by kind.' }),
        digestHour,
      })
      .partial()
      .meta({
        id: 'UpdateNotificationPreferences',
        description: 'Changes to the notification preferences of a member.',
      }),
    response: preferences,
  },
} as const satisfies Group;
