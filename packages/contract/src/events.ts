import { z } from 'zod';
import { id } from './values.ts';

const runEvent = z.looseObject({ runId: id, templateId: id }).meta({ id: 'RunEventData' });

const taskEvent = z.looseObject({ runId: id, templateId: id, runTaskId: id, taskId: id }).meta({ id: 'TaskEventData' });

const approvalEvent = z
  .looseObject({
    runId: id,
    templateId: id,
    runTaskId: id,
    taskId: id,
    approvalId: id,
    actorUserId: id.nullable(),
    comment: z.string().nullable(),
  })
  .meta({ id: 'ApprovalEventData' });

/** What `data` holds for each event a webhook can subscribe to (spec: Events). */
export const eventData = {
  'run.started': runEvent,
  'run.completed': runEvent,
  'run.cancelled': runEvent,
  'run.reopened': runEvent,
  'task.completed': taskEvent,
  'task.overdue': taskEvent,
  'approval.requested': approvalEvent,
  'approval.granted': approvalEvent,
  'approval.rejected': approvalEvent,
} as const;

/** The name of an event. */
export type EventName = keyof typeof eventData;

/** Every event a webhook can subscribe to, in the order of the specification. */
export const eventNames = Object.keys(eventData) as [EventName, ...EventName[]];

/** What a receiver gets (spec: Webhook delivery payload). A delivery asked for by POST /webhooks/:id/test has `data.test` true. */
export const deliveryPayload = z
  .strictObject({
    event: z.enum(eventNames),
    deliveryId: id,
    timestamp: z.iso.datetime(),
    orgId: id,
    data: z.union([runEvent, taskEvent, approvalEvent]),
  })
  .meta({ id: 'DeliveryPayload' });

/** The body of a delivery. */
export type DeliveryPayload = z.output<typeof deliveryPayload>;
