import { z } from 'zod';
import { component } from '../component.ts';
import type { Group } from '../endpoint.ts';
import { paging } from '../page.ts';
import { id, queryList } from '../values.ts';

const ofRun = {
  runId: id.describe('The run that the event belongs to.'),
  templateId: id.describe('The template of the run.'),
  sequence: z
    .int()
    .min(1)
    .describe(
      'Position in the activity of the run. Later events of the run have a higher one; events of the same change may share it.',
    ),
  test: z.literal(true).optional().describe('Present in a test delivery, whose event did not happen.'),
};

const ofTask = {
  ...ofRun,
  runTaskId: id.describe('Id of the task in the run.'),
  taskId: id.describe('Id of the task in the template.'),
};

const runEvent = z.looseObject(ofRun).meta({ id: 'RunEventData', description: 'What an event about a run contains.' });

const taskEvent = z
  .looseObject(ofTask)
  .meta({ id: 'TaskEventData', description: 'What an event about a task contains.' });

const approvalEvent = z
  .looseObject({
    ...ofTask,
    executionEntryId: id.describe('The entry that the approval concerns.'),
    actorUserId: id
      .nullable()
      .describe('The member who decided on it, or whose change requested it; null if the service did.'),
    comment: z.string().nullable().describe('Comment on the decision; null for none.'),
  })
  .meta({ id: 'ApprovalEventData', description: 'What an event about an approval contains.' });

const person = component('EventPerson', 'A member whom an event names.', {
  id: id.describe('The member.'),
  name: z.string().describe('Name of the member at that time.'),
  email: z.string().describe('Email address of the member at that time.'),
});

const group = component('EventGroup', 'A group that an event names.', {
  id: id.describe('The group.'),
  name: z.string().describe('Name of the group at that time.'),
});

const inWords = {
  runTitle: z.string().describe('Title of the run.'),
  runPublicId: z.string().describe('Readable id of the run.'),
  actorUserId: id.nullable().describe('The member who caused it; null if the service did.'),
};

const ofWork = {
  ...ofTask,
  ...inWords,
  taskTitle: z.string().describe('Title of the task.'),
  assignee: person.nullable().describe('The member who has the task; in `task.unassigned`, who had it. Null for none.'),
  assigneeGroup: group
    .nullable()
    .describe('The group that has the task; in `task.unassigned`, that had it. Null for none.'),
  dueAt: z.iso.datetime().nullable().describe('When the task is due; null for never.'),
  ready: z.boolean().describe('Whether the task can be worked on: it is open, and neither hidden nor blocked.'),
};

const workEvent = z
  .looseObject(ofWork)
  .meta({ id: 'WorkEventData', description: 'What an event about the work on a task contains.' });

const approvalDueEvent = z
  .looseObject({
    ...ofWork,
    executionEntryId: id.describe('The entry that the approval concerns.'),
    approvers: z.array(person).describe('The members who can decide on it; empty if none are named.'),
    approverGroups: z.array(group).describe('The groups whose members can decide on it.'),
  })
  .meta({ id: 'ApprovalDueEventData', description: 'What an event about a waiting approval contains.' });

const commentEvent = z
  .looseObject({
    ...ofRun,
    ...inWords,
    runTaskId: id.nullable().describe('Id of the task in the run; null for a comment on the run.'),
    taskId: id.nullable().describe('Id of the task in the template; null for a comment on the run.'),
    taskTitle: z.string().nullable().describe('Title of the task; null for a comment on the run.'),
    commentId: id.describe('The comment.'),
    text: z.string().describe('Markdown.'),
    author: person.nullable().describe('The member who wrote it, or who created the API key.'),
    mentions: z
      .looseObject({
        users: z.array(person).describe('Members.'),
        groups: z.array(group).describe('Groups.'),
      })
      .meta({ id: 'EventMentions', description: 'The members and groups that a comment mentions.' }),
  })
  .meta({ id: 'CommentEventData', description: 'What an event about a comment contains.' });

/** The shape of `data` for each event of the specification (spec: Events). */
const specifiedEvents = {
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

/** The shape of `data` for each event. Those beyond the specification have what a message to a person needs. */
export const eventData = {
  ...specifiedEvents,
  'task.assigned': workEvent,
  'task.unassigned': workEvent,
  'task.ready': workEvent,
  'task.due_soon': workEvent,
  'task.reopened': workEvent,
  'approval.due_soon': approvalDueEvent,
  'comment.created': commentEvent,
} as const;

/** The name of an event. */
export type EventName = keyof typeof eventData;

/** All events that a webhook can subscribe to, those of the specification first. */
export const eventNames = Object.keys(eventData) as [EventName, ...EventName[]];

/** The events of the specification. */
export const specifiedEventNames = Object.keys(specifiedEvents) as [EventName, ...EventName[]];

/** The name of an event on the wire. */
export const eventName = z.enum(eventNames).meta({ id: 'EventName', description: 'The name of an event.' });

const common = {
  deliveryId: id.describe('Id of the event: the same on every attempt, for every webhook and in the feed.'),
  timestamp: z.iso.datetime().describe('When the event happened.'),
  orgId: id.describe('Id of the organization.'),
};

/** The payload of one event. Its component is named after the event: `RunCompletedEvent`. */
function payloadOf<Name extends EventName>(event: Name) {
  const name = event.replaceAll(/(?:^|\.)(\w)/g, (_, letter: string) => letter.toUpperCase());
  return component(`${name}Event`, `The event \`${event}\`.`, {
    event: z.literal(event).describe('What happened. Determines the shape of `data`.'),
    ...common,
    data: eventData[event],
  });
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
        .describe('The `after` of the last response; `now` skips all past events. Default: the oldest event.'),
      events: queryList(z.array(eventName).min(1, 'must not be empty; leave it out for all'))
        .optional()
        .describe('Only these events; repeat it or separate them by commas. Default: all.'),
      limit: paging.limit,
    }),
    errors: ['events_purged'],
    response: component('EventFeed', 'Events in the order of their commits.', {
      data: z.array(deliveryPayload).describe('The events, oldest first.'),
      hasMore: z
        .boolean()
        .describe('Whether there are more events now. Continue while it is true, even if `data` is empty.'),
      after: z.string().describe('Send it as `after` to continue. Opaque.'),
    }),
  },
} as const satisfies Group;
