import { z } from 'zod';
import type { Group } from '../endpoint.ts';
import { paging } from '../page.ts';
import { id } from '../values.ts';

const ofRun = {
  runId: id.meta({ description: 'The run that the event belongs to.' }),
  templateId: id.meta({ description: 'The template of the run.' }),
  sequence: z.int().min(1).meta({
    description: 'Position of the event in the activity of its run. Later events of the run have a higher one.',
  }),
  test: z.literal(true).optional().meta({
    description: 'Present in a test delivery, whose event did not happen.',
  }),
};

const ofTask = {
  ...ofRun,
  runTaskId: id.meta({ description: 'Id of the task in the run.' }),
  taskId: id.meta({ description: 'Id of the task in the template.' }),
};

const runEvent = z.looseObject(ofRun).meta({ id: 'RunEventData', description: 'What an event about a run contains.' });

const taskEvent = z
  .looseObject(ofTask)
  .meta({ id: 'TaskEventData', description: 'What an event about a task contains.' });

const approvalEvent = z
  .looseObject({
    ...ofTask,
    executionEntryId: id.meta({ description: 'The entry that the approval concerns.' }),
    actorUserId: id
      .nullable()
      .meta({ description: 'The member who decided on it, or whose change requested it; null if the service did.' }),
    comment: z.string().nullable().meta({ description: 'Comment on the decision; null for none.' }),
  })
  .meta({ id: 'ApprovalEventData', description: 'What an event about an approval contains.' });

/** The shape of `data` for each event (spec: Events). */
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

/** All events that a webhook can subscribe to, in the order of the specification. */
export const eventNames = Object.keys(eventData) as [EventName, ...EventName[]];

/** The name of an event on the wire. */
export const eventName = z.enum(eventNames).meta({ id: 'EventName', description: 'The name of an event.' });

const common = {
  deliveryId: id.meta({
    description: 'Id of the event: the same on every attempt, for every webhook and in the feed.',
  }),
  timestamp: z.iso.datetime().meta({ description: 'When the event happened.' }),
  orgId: id.meta({ description: 'Id of the organization.' }),
};

/** The payload of one event. Its component is named after the event: `RunCompletedEvent`. */
function payloadOf<Name extends EventName>(event: Name) {
  const component = event.replaceAll(/(?:^|\.)(\w)/g, (_, letter: string) => letter.toUpperCase());
  return z
    .strictObject({
      event: z.literal(event).meta({ description: 'What happened. Determines the shape of `data`.' }),
      ...common,
      data: eventData[event],
    })
    .meta({ id: `${component}Event`, description: `The event \`${event}\`.` });
}

/** The payload of each event, as receivers get it and as the feed lists it. */
export const eventPayloads = Object.fromEntries(eventNames.map((event) => [event, payloadOf(event)])) as {
  readonly [Name in EventName]: ReturnType<typeof payloadOf<Name>>;
};

/** The body of a delivery on the wire. The event determines the data. */
export type DeliveryPayload = { [Name in EventName]: z.output<(typeof eventPayloads)[Name]> }[EventName];

type Payload = (typeof eventPayloads)[EventName];

/**
 * The body of a delivery (spec: Webhook delivery payload). Test deliveries (`POST /webhooks/:id/test`) have `data.test:
 * true` and are not in the feed.
 */
export const deliveryPayload = z
  .discriminatedUnion('event', Object.values(eventPayloads) as [Payload, ...Payload[]])
  .meta({ id: 'DeliveryPayload', description: 'An event, as deliveries and the feed contain it.' });

/** Days for which events and deliveries are kept. */
export const eventRetentionDays = 30;

/** The feed of events, for clients that poll instead of receiving webhooks. */
export const events = {
  list: {
    method: 'GET',
    path: '/events',
    large: true,
    access: 'webhooks:manage',
    summary: 'List events in the order of their commits',
    description:
      'Contains all events, whether or not a webhook is subscribed to them. To continue, send the `after` of the last response; it is ' +
      `present even if \`data\` is empty. Events are kept for ${eventRetentionDays} days; an older \`after\` returns 400.`,
    query: z.strictObject({
      after: z
        .string()
        .min(1, 'must not be empty; leave it out to begin with the oldest event')
        .max(512, 'must be the `after` of an earlier response')
        .optional()
        .meta({
          description: 'The `after` of the last response; `now` skips all past events. Default: the oldest event.',
        }),
      limit: paging.limit,
    }),
    status: 200,
    response: z
      .strictObject({
        data: z.array(deliveryPayload).meta({ description: 'The events, oldest first.' }),
        hasMore: z.boolean().meta({
          description: 'Whether there are more events now. Continue while it is true, even if `data` is empty.',
        }),
        after: z.string().meta({ description: 'Send it as `after` to continue. Opaque.' }),
      })
      .meta({ id: 'EventFeed', description: 'Events in the order of their commits.' }),
  },
} as const satisfies Group;
