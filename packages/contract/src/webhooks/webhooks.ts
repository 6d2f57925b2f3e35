import { z } from 'zod';
import { component } from '../component.ts';
import type { Group } from '../endpoint.ts';
import { rotation, signingSecret } from '../organization/signing-secret.ts';
import { boundedPage, boundedPaging, page, pageQuery } from '../page.ts';
import { id, timestamp } from '../values.ts';
import { delivery, deliveryStatus } from './delivery.ts';
import { eventName, eventRetentionDays } from './events.ts';
import { definition, webhook } from './webhook.ts';

const deliveryFilters = {
  event: eventName.optional().describe('Only deliveries of this event. Default: all.'),
  status: deliveryStatus.optional().describe('Only deliveries with this status. Default: all.'),
  from: timestamp.optional().describe('Start of a range, inclusive, by `createdAt`. Default: the oldest.'),
  to: timestamp.optional().describe('End of a range, exclusive, by `createdAt`. Default: now.'),
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
    errors: ['limit_reached'],
    status: 201,
    response: webhook,
  },
  deliveries: {
    method: 'GET',
    path: '/webhooks/deliveries',
    large: true,
    access: 'webhooks:manage',
    reads: 'replica-on-request',
    summary: 'List the recent deliveries of all webhooks, newest first',
    description: `Deliveries are kept for ${eventRetentionDays} days.`,
    query: z.strictObject({
      ...deliveryFilters,
      webhookId: id.optional().describe('Only deliveries to this webhook. Default: all.'),
      ...boundedPaging,
    }),
    response: boundedPage(delivery),
  },
  get: {
    method: 'GET',
    path: '/webhooks/:id',
    access: 'webhooks:manage',
    summary: 'Get a webhook',
    response: webhook,
  },
  update: {
    method: 'PATCH',
    path: '/webhooks/:id',
    access: 'webhooks:manage',
    summary: 'Update a webhook',
    description:
      'Properties that are left out do not change; changing `templateMode` empties `templateIds`. Pending deliveries use the new URL, and ' +
      '`ordered` applies to them, too: setting it to true returns 400 if more than 100,000 are pending. If the ' +
      'webhook is or becomes enabled, its URL is validated again, even if it does not change. Setting `enabled` to true returns 402 if the ' +
      'plan does not include webhooks; every other change is possible on every plan.',
    body: definition.partial().meta({ id: 'UpdateWebhook', description: 'Changes to a webhook.' }),
    response: webhook,
  },
  delete: {
    method: 'DELETE',
    path: '/webhooks/:id',
    access: 'webhooks:manage',
    summary: 'Delete a webhook',
    description: 'Deletes its deliveries too, including pending ones. The events stay in `GET /events`.',
  },
  secret: {
    method: 'GET',
    path: '/webhooks/:id/secret',
    access: 'webhooks:manage',
    summary: 'Get the own signing secret of a webhook',
    description: 'Returns 400 if it has none; set `ownSecret` to true first.',
    response: signingSecret,
    errors: ['no_own_secret'],
  },
  rotateSecret: {
    method: 'POST',
    path: '/webhooks/:id/secret/rotate',
    access: 'webhooks:manage',
    summary: 'Rotate the own signing secret of a webhook',
    description:
      'Creates a new secret and signs the deliveries of the webhook with it from then on. During the overlap they also carry a signature by ' +
      'the previous secret in `x-flow-signature-previous`. Returns 400 if the webhook has no secret of its own, and during an overlap, unless ' +
      '`overlapHours` is 0.',
    body: rotation,
    errors: ['no_own_secret', 'rotation_in_progress'],
    response: signingSecret,
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
    body: component('TestWebhook', 'Options of a test delivery.', {
      event: eventName.optional().describe('Default: the first of `enabledEvents`.'),
    }).optional(),
    response: delivery,
  },
  webhookDeliveries: {
    method: 'GET',
    path: '/webhooks/:id/deliveries',
    large: true,
    access: 'webhooks:manage',
    summary: 'List the deliveries of a webhook, newest first',
    description: `Deliveries are kept for ${eventRetentionDays} days.`,
    query: z.strictObject({ ...deliveryFilters, ...boundedPaging }),
    response: boundedPage(delivery),
  },
  delivery: {
    method: 'GET',
    path: '/webhooks/:id/deliveries/:deliveryId',
    access: 'webhooks:manage',
    summary: 'Get a delivery',
    response: delivery,
  },
  resend: {
    method: 'POST',
    path: '/webhooks/:id/deliveries/:deliveryId/resend',
    access: 'webhooks:manage',
    requires: 'webhooks',
    summary: 'Send a delivery again',
    description:
      'Works with every status. `deliveryId` and body stay the same; the retry schedule starts over. An ordered webhook gets it before all ' +
      'pending deliveries of later events. Returns 400 during an attempt, ' +
      'and, except for test deliveries, if the webhook is disabled.',
    errors: ['webhook_disabled', 'attempt_in_progress'],
    response: delivery,
  },
  replay: {
    method: 'POST',
    path: '/webhooks/:id/deliveries/replay',
    access: 'webhooks:manage',
    requires: 'webhooks',
    summary: 'Send the failed deliveries of a time range again',
    description:
      'Sends FAILED deliveries, except tests, at fewer than 20 per second. The retry schedule starts over. An ordered webhook gets them ' +
      'before pending deliveries of later events. Returns 400 if the webhook ' +
      'is disabled, or if more than 100,000 deliveries match.',
    body: component('ReplayDeliveries', 'The deliveries to send again.', {
      from: timestamp.describe('Start of the range, inclusive, by `createdAt`.'),
      to: timestamp.optional().describe('End of the range, exclusive. Default: now.'),
      events: z
        .array(eventName)
        .min(1, 'must contain at least one event')
        .optional()
        .describe('Only these events. Default: all.'),
      dryRun: z.boolean().optional().meta({ description: 'true: only count. Default: false.', default: false }),
    }),
    errors: ['webhook_disabled'],
    response: component('ReplayResult', 'The result of a replay.', {
      dryRun: z.boolean().describe('Whether the deliveries were only counted.'),
      count: z.int().min(0).describe('Deliveries that are sent again, or would be.'),
    }),
  },
} as const satisfies Group;
