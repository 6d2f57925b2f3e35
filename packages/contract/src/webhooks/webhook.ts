import { z } from 'zod';
import { component } from '../component.ts';
import { description, id, idList, title } from '../values.ts';
import { eventName, eventRetentionDays } from './events.ts';

/** Whether a webhook receives the events of all templates or of the listed ones. */
export const templateModes = ['ALL_FLOWS', 'SELECTED_TEMPLATES'] as const;

const templateMode = z
  .enum(templateModes)
  .meta({ id: 'TemplateMode', description: 'Which templates a webhook receives events of.' });

/** Why a webhook is paused, on the wire. */
const pausedReason = z
  .enum(['PLAN'])
  .meta({ id: 'PausedReason', description: 'Why the deliveries of a webhook wait.' });

/** What a client sends to create a webhook. */
export const definition = z.strictObject({
  name: title.describe('Display name.'),
  url: z
    .string()
    .trim()
    .min(1, 'must not be empty')
    .max(2048, 'must be at most 2048 characters')
    .describe(
      'HTTPS endpoint. Plain HTTP, private, loopback and link-local addresses, those of cloud services, internal names such as ' +
        '`localhost` and ports of other services are rejected with 400; the URL is validated again on ' +
        'every attempt.',
    ),
  enabledEvents: z
    .array(eventName)
    .min(1, 'must contain at least one event')
    .refine((events) => new Set(events).size === events.length, 'must not contain an event twice')
    .describe('Events that are delivered; at least one.'),
  enabled: z
    .boolean()
    .optional()
    .describe(
      'false: new events get no delivery, and pending ones wait. Setting it to true clears `disabledReason` and `disabledAt`. New webhooks: true by default.',
    ),
  ordered: z
    .boolean()
    .optional()
    .describe(
      'true: deliveries are sent one at a time, in the order of `GET /events`. One that fails blocks all later ones until an attempt ' +
        'succeeds or the last one has failed, by default about 28 hours after the first. Test deliveries do not wait for it. ' +
        'false: several are sent at a time, in no particular order. New webhooks: false by default.',
    ),
  templateMode: templateMode
    .optional()
    .describe(
      'ALL_FLOWS: events of all templates. SELECTED_TEMPLATES: events of `templateIds` only. New webhooks: ALL_FLOWS by default.',
    ),
  templateIds: idList(1000).optional().describe('At least one with SELECTED_TEMPLATES; not allowed with ALL_FLOWS.'),
  ownSecret: z
    .boolean()
    .optional()
    .describe(
      'true: a secret of its own signs its deliveries from now on, and no longer that of the organization; see ' +
        '`GET /webhooks/:id/secret`. false: that of the organization signs them, and its own is deleted. New webhooks: false by default.',
    ),
  description: description.nullable().optional().describe('Note of at most 2,000 characters.'),
});

/** A registered webhook. */
export const webhook = component('Webhook', 'A registered webhook.', {
  id: id.describe('Id of the webhook.'),
  name: title.describe('Display name.'),
  url: z.string().describe('HTTPS endpoint that receives the deliveries.'),
  enabledEvents: z.array(eventName).describe('Events that are delivered.'),
  enabled: z.boolean().describe('false: new events get no delivery, and pending ones wait.'),
  disabledReason: z
    .string()
    .nullable()
    .describe(
      'Why the service disabled the webhook: the receiver responded 410, or every attempt of five days failed. Otherwise null.',
    ),
  disabledAt: z.iso.datetime().nullable().describe('When the service disabled the webhook. Otherwise null.'),
  pausedReason: pausedReason
    .nullable()
    .describe(
      'PLAN: the plan of the organization does not include webhooks. Deliveries stay PENDING and are sent in order when a plan includes ' +
        `them again, unless that takes longer than the ${eventRetentionDays} days for which they are kept. null: not paused.`,
    ),
  ordered: z
    .boolean()
    .describe(
      'Whether deliveries are sent one at a time, in the order of `GET /events`, so that a failing one blocks later ones.',
    ),
  templateMode: templateMode.describe(
    'ALL_FLOWS: events of all templates. SELECTED_TEMPLATES: events of `templateIds` only.',
  ),
  templateIds: z.array(id).describe('Empty unless `templateMode` is SELECTED_TEMPLATES.'),
  ownSecret: z
    .boolean()
    .describe('Whether a secret of its own signs its deliveries; otherwise that of the organization does.'),
  description: description.nullable().describe('Note; null for none.'),
  createdAt: z.iso.datetime().describe('When the webhook was registered.'),
  updatedAt: z.iso.datetime().describe('When the webhook was last changed.'),
});
