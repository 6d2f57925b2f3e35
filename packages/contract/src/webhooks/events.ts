import { z } from 'zod';
import type { Group } from '../endpoint.ts';
import { maximumPageSize } from '../page.ts';
import { id, wholeNumber } from '../values.ts';

const ofRun = {
  runId: id,
  templateId: id,
  sequence: z
    .int()
    .min(1)
    .meta({ description: 'Place of the event in the activity of its run; grows with every one.' }),
};

const ofTask = { ...ofRun, runTaskId: id, taskId: id };

const runEvent = z.looseObject(ofRun).meta({ id: 'RunEventData' });

const taskEvent = z.looseObject(ofTask).meta({ id: 'TaskEventData' });

const approvalEvent = z
  .looseObject({
    ...ofTask,
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

/**
 * What a receiver gets (spec: Webhook delivery payload). `deliveryId` names the event: it is the same on every attempt, for every webhook
 * and in the feed. A delivery asked for by POST /webhooks/:id/test has `data.test` true and is not in the feed.
 */
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

/** Days the feed and the records of deliveries go back. */
export const eventRetentionDays = 30;

/** The feed of events, for those who would rather ask than be told. */
export const events = {
  list: {
    method: 'GET',
    path: '/events',
    access: 'webhooks:manage',
    summary: 'Events in the order in which they were committed, whether a webhook hears of them or not',
    description:
      `Pass the \`after\` of the last answer to go on from there; it is never empty, also where \`data\` is. Events are kept for ` +
      `${eventRetentionDays} days; an older \`after\` answers 400.`,
    query: z.strictObject({
      after: z
        .string()
        .min(1)
        .max(512)
        .optional()
        .meta({ description: 'Where to go on; `now` for events to come. Default: the oldest event there is.' }),
      limit: wholeNumber(1, maximumPageSize).default(maximumPageSize),
    }),
    status: 200,
    response: z.strictObject({ data: z.array(deliveryPayload), hasMore: z.boolean(), after: z.string() }),
  },
} as const satisfies Group;
