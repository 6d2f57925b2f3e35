import { z } from 'zod';
import { component } from '../component.ts';
import { id } from '../values.ts';
import { deliveryPayload, eventName } from './events.ts';

/** PENDING until an attempt succeeds or the last retry fails. */
export const deliveryStatuses = ['PENDING', 'SUCCEEDED', 'FAILED'] as const;

/** The status of a delivery on the wire. */
export const deliveryStatus = z.enum(deliveryStatuses).meta({
  id: 'DeliveryStatus',
  description:
    'PENDING: attempts follow. SUCCEEDED: the receiver accepted it. FAILED: it did not, and no attempt follows.',
});

const deliveryAttempt = component('DeliveryAttempt', 'One attempt of a delivery.', {
  at: z.iso.datetime().describe('When the attempt began.'),
  statusCode: z.int().min(100).max(999).nullable().describe('null if there was no response.'),
  durationMs: z.int().min(0).describe('How long it took, in milliseconds.'),
  error: z.string().nullable().describe('Why the attempt failed, besides the status.'),
  responseBody: z.string().nullable().describe('The first 4 KB.'),
});

/** The delivery of one event to one webhook, with all attempts so far. */
export const delivery = component('Delivery', 'The delivery of one event to one webhook, with all attempts so far.', {
  id: id.describe('Id of this delivery: of one event to one webhook.'),
  deliveryId: id.describe('The `deliveryId` of the payload: the id of the event, the same for every webhook.'),
  webhookId: id.describe('The webhook that receives it.'),
  event: eventName.describe('The event that is delivered.'),
  status: deliveryStatus.describe('PENDING until an attempt succeeds or the last retry fails.'),
  payload: deliveryPayload,
  attempts: z.array(deliveryAttempt).describe('The attempts so far, oldest first.'),
  nextAttemptAt: z.iso
    .datetime()
    .nullable()
    .describe(
      'null during an attempt and after the last. An ordered webhook first gets the pending deliveries of earlier events.',
    ),
  createdAt: z.iso.datetime().describe('When the event happened.'),
});
