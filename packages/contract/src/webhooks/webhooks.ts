import { z } from 'zod';
import type { Group } from '../endpoint.ts';
import { deliveryPayload, eventNames } from './events.ts';
import { page, pageQuery, paging } from '../page.ts';
import { description, id, idList, timestamp, title } from '../values.ts';

/** Which templates' events a webhook hears. */
export const templateModes = ['ALL_FLOWS', 'SELECTED_TEMPLATES'] as const;

/** PENDING until it succeeded or the retry schedule ran out. */
export const deliveryStatuses = ['PENDING', 'SUCCEEDED', 'FAILED'] as const;

const definition = z.strictObject({
  name: title,
  url: z.string().min(1).max(2048, 'must be at most 2048 characters').meta({
    description: 'HTTPS endpoint; private, loopback and link-local addresses are refused here and at every attempt.',
  }),
  enabledEvents: z
    .array(z.enum(eventNames))
    .min(1, 'must name at least one event')
    .refine((events) => new Set(events).size === events.length, 'must not repeat an event'),
  enabled: z.boolean().optional().meta({ description: 'Default: true.' }),
  templateMode: z.enum(templateModes).optional().meta({ description: 'Default: ALL_FLOWS.' }),
  templateIds: idList(1000).optional().meta({ description: 'Only with SELECTED_TEMPLATES, which needs at least one.' }),
  description: description.nullable().optional(),
});

/** A registered receiver. `disabledReason` and `disabledAt` tell why and when the service itself switched it off. */
export const webhook = z
  .strictObject({
    id,
    name: title,
    url: z.string(),
    enabledEvents: z.array(z.enum(eventNames)),
    enabled: z.boolean(),
    disabledReason: z.string().nullable(),
    disabledAt: z.iso.datetime().nullable(),
    templateMode: z.enum(templateModes),
    templateIds: z.array(id),
    description: description.nullable(),
    createdAt: z.iso.datetime(),
    updatedAt: z.iso.datetime(),
  })
  .meta({ id: 'Webhook' });

/** One event on its way to one webhook, with every attempt made so far. `id` is the payload's `deliveryId`, so it names the event. */
export const delivery = z
  .strictObject({
    id,
    webhookId: id,
    event: z.enum(eventNames),
    status: z.enum(deliveryStatuses),
    payload: deliveryPayload,
    attempts: z.array(
      z.strictObject({
        at: z.iso.datetime(),
        statusCode: z.int().nullable(),
        durationMs: z.int(),
        error: z.string().nullable(),
        responseBody: z.string().nullable().meta({ description: 'The first 4 KB.' }),
      }),
    ),
    nextAttemptAt: z.iso.datetime().nullable(),
    createdAt: z.iso.datetime(),
  })
  .meta({ id: 'Delivery' });

const deliveryFilters = {
  event: z.enum(eventNames).optional(),
  status: z.enum(deliveryStatuses).optional(),
};

/** Webhooks and their deliveries (spec: Webhooks). */
export const webhooks = {
  list: {
    method: 'GET',
    path: '/webhooks',
    access: 'webhooks:manage',
    summary: 'List webhooks, newest first',
    query: pageQuery,
    status: 200,
    response: page(webhook),
  },
  create: {
    method: 'POST',
    path: '/webhooks',
    access: 'webhooks:manage',
    summary: 'Register a webhook',
    body: definition,
    status: 201,
    response: webhook,
  },
  deliveries: {
    method: 'GET',
    path: '/webhooks/deliveries',
    access: 'webhooks:manage',
    summary: 'Recent deliveries across all webhooks, newest first',
    query: z.strictObject({ ...deliveryFilters, webhookId: id.optional(), ...paging }),
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
    summary: 'Update a webhook; the URL is checked again',
    body: definition.partial(),
    status: 200,
    response: webhook,
  },
  remove: {
    method: 'DELETE',
    path: '/webhooks/:id',
    access: 'webhooks:manage',
    summary: 'Delete a webhook; what it has not delivered yet is dropped',
    status: 204,
  },
  test: {
    method: 'POST',
    path: '/webhooks/:id/test',
    access: 'webhooks:manage',
    summary: 'Send a test delivery, also to a disabled webhook',
    description: 'The payload has the shape of the event, made-up ids and `data.test` true.',
    body: z
      .strictObject({ event: z.enum(eventNames).optional().meta({ description: 'Default: its first event.' }) })
      .optional(),
    status: 200,
    response: delivery,
  },
  webhookDeliveries: {
    method: 'GET',
    path: '/webhooks/:id/deliveries',
    access: 'webhooks:manage',
    summary: 'Deliveries of one webhook, newest first',
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
    summary: 'Send a delivery once more, whatever came of it',
    description:
      'Same `deliveryId` and body; the retry schedule begins anew. Answers 400 while an attempt is under way.',
    status: 200,
    response: delivery,
  },
  replay: {
    method: 'POST',
    path: '/webhooks/:id/deliveries/replay',
    access: 'webhooks:manage',
    summary: 'Send the failed deliveries of a time range once more',
    description: 'With `dryRun` only counts them. They go out at no more than 20 a second.',
    body: z.strictObject({
      from: timestamp.meta({ description: 'The earliest `createdAt`.' }),
      to: timestamp.optional().meta({ description: 'Before this `createdAt`. Default: now.' }),
      events: z.array(z.enum(eventNames)).min(1, 'must name at least one event').optional(),
      dryRun: z.boolean().optional().meta({ description: 'Default: false.' }),
    }),
    status: 200,
    response: z.strictObject({ dryRun: z.boolean(), count: z.int().min(0) }),
  },
} as const satisfies Group;
