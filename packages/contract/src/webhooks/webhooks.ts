import { z } from 'zod';
import type { Group } from '../endpoint.ts';
import { page, pageQuery, paging } from '../page.ts';
import { description, id, idList, timestamp, title } from '../values.ts';
import { delivery, deliveryStatus } from './delivery.ts';
import { eventName, eventRetentionDays } from './events.ts';

/** Whether a webhook receives the events of all templates or of the listed ones. */
export const templateModes = ['ALL_FLOWS', 'SELECTED_TEMPLATES'] as const;

/** The template mode of a webhook on the wire. */
const templateMode = z
  .enum(templateModes)
  .meta({ id: 'TemplateMode', description: 'Which templates a webhook receives events of.' });

/** Why a webhook is paused, on the wire. */
const pausedReason = z
  .enum(['PLAN'])
  .meta({ id: 'PausedReason', description: 'Why the deliveries of a webhook wait.' });

const definition = z.strictObject({
  name: title.meta({ description: 'Display name.' }),
  url: z
    .string()
    .min(1, 'must not be empty')
    .max(2048, 'must be at most 2048 characters')
    .meta({
      description:
        'HTTPS endpoint. Plain HTTP, private, loopback and link-local addresses, those of cloud services, internal names such as ' +
        '`localhost` and ports of other services are rejected with 400; the URL is validated again on ' +
        'every attempt.',
    }),
  enabledEvents: z
    .array(eventName)
    .min(1, 'must contain at least one event')
    .refine((events) => new Set(events).size === events.length, 'must not contain an event twice')
    .meta({ description: 'Events that are delivered; at least one.' }),
  enabled: z.boolean().optional().meta({
    description:
      'false: deliveries wait. Setting it to true clears `disabledReason` and `disabledAt`. New webhooks: true by default.',
  }),
  templateMode: templateMode.optional().meta({
    description:
      'ALL_FLOWS: events of all templates. SELECTED_TEMPLATES: events of `templateIds` only. New webhooks: ALL_FLOWS by default.',
  }),
  templateIds: idList(1000)
    .optional()
    .meta({ description: 'At least one with SELECTED_TEMPLATES; not allowed with ALL_FLOWS.' }),
  description: description.nullable().optional().meta({ description: 'Note of at most 2,000 characters.' }),
});

/** A registered webhook. */
const webhook = z
  .strictObject({
    id: id.meta({ description: 'Id of the webhook.' }),
    name: title.meta({ description: 'Display name.' }),
    url: z.string().meta({ description: 'HTTPS endpoint that receives the deliveries.' }),
    enabledEvents: z.array(eventName).meta({ description: 'Events that are delivered.' }),
    enabled: z.boolean().meta({ description: 'false: deliveries wait.' }),
    disabledReason: z.string().nullable().meta({
      description:
        'Why the service disabled the webhook: the receiver responded 410, or every attempt of five days failed. Otherwise null.',
    }),
    disabledAt: z.iso
      .datetime()
      .nullable()
      .meta({ description: 'When the service disabled the webhook. Otherwise null.' }),
    pausedReason: pausedReason.nullable().meta({
      description:
        'PLAN: the plan of the organization does not include webhooks. Deliveries stay PENDING and are sent in order when a plan includes ' +
        `them again, unless that takes longer than the ${eventRetentionDays} days for which they are kept. null: not paused.`,
    }),
    templateMode: templateMode.meta({
      description: 'ALL_FLOWS: events of all templates. SELECTED_TEMPLATES: events of `templateIds` only.',
    }),
    templateIds: z.array(id).meta({ description: 'Empty unless `templateMode` is SELECTED_TEMPLATES.' }),
    description: description.nullable().meta({ description: 'Note; null for none.' }),
    createdAt: z.iso.datetime().meta({ description: 'When the webhook was registered.' }),
    updatedAt: z.iso.datetime().meta({ description: 'When the webhook was last changed.' }),
  })
  .meta({ id: 'Webhook', description: 'A registered webhook.' });

const deliveryFilters = {
  event: eventName.optional().meta({ description: 'Only deliveries of this event. Default: all.' }),
  status: deliveryStatus.optional().meta({ description: 'Only deliveries with this status. Default: all.' }),
  from: timestamp.optional().meta({ description: 'Start of a range, inclusive, by `createdAt`. Default: the oldest.' }),
  to: timestamp.optional().meta({ description: 'End of a range, exclusive, by `createdAt`. Default: now.' }),
};

/** Webhooks and their deliveries (spec: Webhooks). */
export const webhooks = {
  list: {
    method: 'GET',
    path: '/webhooks',
    access: 'webhooks:manage',
    summary: 'List webhooks, newest first',
    description: 'A restricted API key sees the webhooks whose templates are all within its resource scope.',
    query: pageQuery,
    status: 200,
    response: page(webhook),
  },
  create: {
    method: 'POST',
    path: '/webhooks',
    access: 'webhooks:manage',
    requires: 'webhooks',
    summary: 'Register a webhook',
    description:
      'Returns 400 if the organization already has 50 webhooks, and 403 if it covers templates outside the resource scope of the API key.',
    body: definition.meta({ id: 'CreateWebhook', description: 'A new webhook.' }),
    status: 201,
    response: webhook,
  },
  deliveries: {
    method: 'GET',
    path: '/webhooks/deliveries',
    large: true,
    access: 'webhooks:manage',
    summary: 'List the recent deliveries of all webhooks, newest first',
    description: `Deliveries are kept for ${eventRetentionDays} days.`,
    query: z.strictObject({
      ...deliveryFilters,
      webhookId: id.optional().meta({ description: 'Only deliveries to this webhook. Default: all.' }),
      ...paging,
    }),
    status: 200,
    response: page(delivery),
  },
  get: {
    method: 'GET',
    path: '/webhooks/:id',
    access: 'webhooks:manage',
    summary: 'Get a webhook',
    status: 200,
    response: webhook,
  },
  update: {
    method: 'PATCH',
    path: '/webhooks/:id',
    access: 'webhooks:manage',
    summary: 'Update a webhook',
    description:
      'Properties that are left out do not change; changing `templateMode` empties `templateIds`. Pending deliveries use the new URL. If the ' +
      'webhook is or becomes enabled, its URL is validated again, even if it does not change. Setting `enabled` to true returns 402 if the ' +
      'plan does not include webhooks; every other change is possible on every plan.',
    body: definition.partial().meta({ id: 'UpdateWebhook', description: 'Changes to a webhook.' }),
    status: 200,
    response: webhook,
  },
  remove: {
    method: 'DELETE',
    path: '/webhooks/:id',
    access: 'webhooks:manage',
    summary: 'Delete a webhook',
    description: 'Deletes its deliveries too, including pending ones. The events stay in `GET /events`.',
    status: 204,
  },
  test: {
    method: 'POST',
    path: '/webhooks/:id/test',
    access: 'webhooks:manage',
    requires: 'webhooks',
    summary: 'Send a test delivery',
    description:
      "The payload has the shape of the event, with `data.test` set to true. Its ids are those of the latest run of the webhook's templates " +
      'and its first task, or made up if there is none. It is signed, retried and recorded like ' +
      'any delivery, and also sent to a disabled webhook. Returns the delivery before its first attempt.',
    body: z
      .strictObject({
        event: eventName.optional().meta({ description: 'Default: the first of `enabledEvents`.' }),
      })
      .meta({ id: 'TestWebhook', description: 'Options of a test delivery.' })
      .optional(),
    status: 200,
    response: delivery,
  },
  webhookDeliveries: {
    method: 'GET',
    path: '/webhooks/:id/deliveries',
    large: true,
    access: 'webhooks:manage',
    summary: 'List the deliveries of a webhook, newest first',
    description: `Deliveries are kept for ${eventRetentionDays} days.`,
    query: z.strictObject({ ...deliveryFilters, ...paging }),
    status: 200,
    response: page(delivery),
  },
  delivery: {
    method: 'GET',
    path: '/webhooks/:id/deliveries/:deliveryId',
    access: 'webhooks:manage',
    summary: 'Get a delivery',
    status: 200,
    response: delivery,
  },
  resend: {
    method: 'POST',
    path: '/webhooks/:id/deliveries/:deliveryId/resend',
    access: 'webhooks:manage',
    requires: 'webhooks',
    summary: 'Send a delivery again',
    description:
      'Works with every status. `deliveryId` and body stay the same; the retry schedule starts over. Returns 400 during an attempt, ' +
      'and, except for test deliveries, if the webhook is disabled.',
    status: 200,
    response: delivery,
  },
  replay: {
    method: 'POST',
    path: '/webhooks/:id/deliveries/replay',
    access: 'webhooks:manage',
    requires: 'webhooks',
    summary: 'Send the failed deliveries of a time range again',
    description:
      'Sends FAILED deliveries, except tests, at fewer than 20 per second. The retry schedule starts over. Returns 400 if the webhook ' +
      'is disabled, or if more than 100,000 deliveries match.',
    body: z
      .strictObject({
        from: timestamp.meta({ description: 'Start of the range, inclusive, by `createdAt`.' }),
        to: timestamp.optional().meta({ description: 'End of the range, exclusive. Default: now.' }),
        events: z
          .array(eventName)
          .min(1, 'must contain at least one event')
          .optional()
          .meta({ description: 'Only these events. Default: all.' }),
        dryRun: z.boolean().optional().meta({ description: 'true: only count. Default: false.', default: false }),
      })
      .meta({ id: 'ReplayDeliveries', description: 'The deliveries to send again.' }),
    status: 200,
    response: z
      .strictObject({
        dryRun: z.boolean().meta({ description: 'Whether the deliveries were only counted.' }),
        count: z.int().min(0).meta({ description: 'Deliveries that are sent again, or would be.' }),
      })
      .meta({ id: 'ReplayResult', description: 'The result of a replay.' }),
  },
} as const satisfies Group;
