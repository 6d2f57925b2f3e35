import { z } from 'zod';
import { component } from '../component.ts';
import type { Group } from '../endpoint.ts';
import { duration, id, title, version } from '../values.ts';
import { rotation, signingSecret } from './signing-secret.ts';

/** Plans, lowest first. API keys need BUSINESS or higher. */
export const plans = ['FREE', 'PRO', 'BUSINESS', 'ENTERPRISE'] as const;

/** A plan on the wire. */
const plan = z.enum(plans).meta({ id: 'Plan', description: 'A plan, which determines the available features.' });

/** The organization and its settings. */
export const settings = component('Organization', 'The organization and its settings.', {
  id: id.describe('Id of the organization.'),
  name: title.describe('Display name.'),
  timezone: z.string().describe('IANA name, like `Europe/Berlin`.'),
  remindBefore: z
    .string()
    .describe('How long before a deadline reminders (`task.due_soon`) are due, as an ISO 8601 duration.'),
  plan: plan.describe('Determines which features the organization can use.'),
  createdAt: z.iso.datetime().describe('When the organization was created.'),
  version,
});

/** Settings of the caller's organization, for owners and admins in a browser session. */
export const organization = {
  get: {
    method: 'GET',
    path: '/organization',
    access: 'administrator',
    summary: 'Get the organization',
    response: settings,
    versioned: true,
  },
  update: {
    method: 'PATCH',
    path: '/organization',
    access: 'administrator',
    summary: 'Update the name, time zone or reminders',
    description:
      'Properties that are left out do not change. A new time zone moves the date-only deadlines of open tasks in active runs to the ' +
      'end of the day that contains `dueAt` in the new zone, and those of others when they are reopened; `dueAt` itself does not ' +
      'change. `remindBefore` moves the reminders of open tasks. The operator of the service changes the plan.',
    body: z
      .strictObject({
        name: title.describe('Display name.'),
        timezone: z
          .string()
          .max(64, 'must be at most 64 characters')
          .describe('IANA name, like `Europe/Berlin`. Days and date-only deadlines begin and end in it.'),
        remindBefore: duration.describe(
          'How long before a deadline reminders are due, as an ISO 8601 duration like `P1D` or `PT4H`; `PT0S` for none. ' +
            'Tasks can have their own.',
        ),
      })
      .partial()
      .meta({ id: 'UpdateOrganization', description: 'Changes to the organization.' }),
    response: settings,
    versioned: true,
  },
  signingSecret: {
    method: 'GET',
    path: '/organization/signing-secret',
    access: 'administrator',
    summary: 'Get the signing secret',
    description:
      'It signs the deliveries of all webhooks of the organization, except those with a secret of their own.',
    response: signingSecret,
  },
  rotateSigningSecret: {
    method: 'POST',
    path: '/organization/signing-secret/rotate',
    access: 'administrator',
    summary: 'Rotate the signing secret',
    description:
      'Creates a new secret and signs deliveries with it from then on. During the overlap deliveries also carry a signature by the ' +
      'previous secret in `x-flow-signature-previous`. Returns 400 during an overlap, unless `overlapHours` is 0.',
    body: rotation,
    errors: ['rotation_in_progress'],
    response: signingSecret,
  },
} as const satisfies Group;
