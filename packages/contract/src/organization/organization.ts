import { z } from 'zod';
import type { Group } from '../endpoint.ts';
import { id, title } from '../values.ts';

/** Plans, least first; API keys need BUSINESS. */
export const plans = ['FREE', 'PRO', 'BUSINESS', 'ENTERPRISE'] as const;

/** The organization and its settings. */
export const settings = z
  .strictObject({
    id,
    name: title,
    timezone: z.string().meta({ description: 'IANA name, like Europe/Berlin.' }),
    plan: z.enum(plans),
    createdAt: z.iso.datetime(),
  })
  .meta({ id: 'Organization' });

/** The secret deliveries are signed with. During a rotation the one before still verifies until `previousExpiresAt`. */
export const signingSecret = z
  .strictObject({
    secret: z.string(),
    previousSecret: z.string().nullable(),
    previousExpiresAt: z.iso.datetime().nullable(),
  })
  .meta({ id: 'SigningSecret' });

/** Settings of the caller's organization; owners and admins in a browser session only. */
export const organization = {
  get: {
    method: 'GET',
    path: '/organization',
    access: 'administrator',
    summary: 'Get the organization',
    status: 200,
    response: settings,
  },
  update: {
    method: 'PATCH',
    path: '/organization',
    access: 'administrator',
    summary: 'Change name, time zone or plan',
    description:
      'A new time zone moves the date-only deadline of every open task to the end of the day that its `dueAt` lies in there.',
    body: z
      .strictObject({ name: title, timezone: z.string().max(64, 'must be at most 64 characters'), plan: z.enum(plans) })
      .partial(),
    status: 200,
    response: settings,
  },
  signingSecret: {
    method: 'GET',
    path: '/organization/signing-secret',
    access: 'administrator',
    summary: 'Read the signing secret',
    status: 200,
    response: signingSecret,
  },
  rotateSigningSecret: {
    method: 'POST',
    path: '/organization/signing-secret/rotate',
    access: 'administrator',
    summary: 'Make a new signing secret',
    description:
      'Deliveries are signed with the new one at once; for the overlap they also carry the signature of the old one in ' +
      '`x-flow-signature-previous`. Answers 400 while an overlap lasts, unless it asks for none.',
    body: z
      .strictObject({
        overlapHours: z
          .int({ error: 'must be a whole number from 0 to 168' })
          .min(0, 'must be a whole number from 0 to 168')
          .max(168, 'must be a whole number from 0 to 168')
          .optional()
          .meta({ description: 'Default: 24. 0 drops every earlier secret at once.' }),
      })
      .optional(),
    status: 200,
    response: signingSecret,
  },
} as const satisfies Group;
