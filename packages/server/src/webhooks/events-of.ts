import type { DeliveryPayload, EventName } from '@runward/contract';
import type { Fact, FactType, RunState } from '@runward/engine';
import type { Author } from '../access/actor.ts';
import { newIdAt } from '../ids.ts';
import type { Ids, Named } from './queries/read-named.ts';
import type { Subscriber } from './queries/select-subscribers.ts';
import { workEventsOf } from './work-events.ts';

/** An event: the exact body that all its deliveries send, and the subscribed webhooks. */
export interface NewEvent {
  /** The `deliveryId` of the body. */
  readonly id: string;
  /** Its position in the activity of the run. */
  readonly sequence: number;
  readonly event: EventName;
  readonly body: string;
  readonly createdAt: string;
  readonly webhookIds: readonly string[];
}

/** The new facts of a run, with the states before and after them. `activityCount` is the number of earlier facts. */
export interface Changed {
  /** Null for a launch. */
  readonly before: RunState | null;
  readonly after: RunState;
  readonly facts: readonly Fact[];
  readonly activityCount: number;
}

/** An event before the members and groups that it names have been read. */
export interface Draft extends Ids {
  readonly event: EventName;
  data(named: Named): object;
}

/** An event of a fact. */
export interface PlacedDraft extends Draft {
  readonly sequence: number;
  readonly timestamp: string;
}

/** Where events happen, and who receives them. */
export interface EventContext {
  readonly organizationId: string;
  readonly subscribers: readonly Subscriber[];
  /** The members and groups that the events name. */
  readonly named: Named;
}

/** The facts that become an event of the same meaning. */
const eventOf: Partial<Record<FactType, EventName>> = {
  'run.started': 'run.started',
  'run.completed': 'run.completed',
  'run.cancelled': 'run.cancelled',
  'run.reopened': 'run.reopened',
  'task.completed': 'task.completed',
  'task.overdue': 'task.overdue',
  'approval.requested': 'approval.requested',
  'approval.granted': 'approval.granted',
  'approval.rejected': 'approval.rejected',
};

/** The events of an author's change, in order. All other facts appear only in the activity log. */
export function draftEvents(changed: Changed, author: Pick<Author, 'userId'>): PlacedDraft[] {
  const { after: run, facts, activityCount } = changed;
  return facts.flatMap((fact, index) => {
    const event = isPartOfApproval(fact) ? undefined : eventOf[fact.type];
    const data = () => ({ ...dataOf(run, fact), ...approvalOf(fact, author.userId) });
    const specified: Draft[] = event ? [{ event, userIds: [], groupIds: [], data }] : [];
    const place = { sequence: activityCount + index + 1, timestamp: fact.at };
    return [...specified, ...workEventsOf(changed, index, author)].map((draft) => Object.assign(draft, place));
  });
}

/** Writes the bodies of events, and finds the subscribed webhooks. */
export function writeEvents(
  drafts: readonly PlacedDraft[],
  { organizationId, subscribers, named }: EventContext,
): NewEvent[] {
  // The events of one fact are read in the order of their ids.
  const ids = drafts.map(({ timestamp }) => newIdAt(new Date(timestamp))).toSorted();
  return drafts.map(({ event, data, sequence, timestamp }, index) => {
    const payload = { event, timestamp, orgId: organizationId, data: { ...data(named), sequence } };
    const webhookIds = subscribers.filter(({ events }) => events.includes(event)).map(({ id }) => id);
    const { id, body } = newBody(payload, ids[index]);
    return { id, body, sequence, event, createdAt: timestamp, webhookIds };
  });
}

/** A body before it is written. Its event determines the data. */
interface Payload extends Record<Exclude<keyof DeliveryPayload, 'event' | 'data'>, string> {
  readonly event: EventName;
  readonly data: object;
}

/** Whether a webhook is subscribed to one of the events. */
export function hasSubscribers(events: readonly NewEvent[]): boolean {
  return events.some(({ webhookIds }) => webhookIds.length > 0);
}

/** Creates the body of an event with a new id, and returns both. Sorting events by id sorts them by timestamp. */
export function newBody(
  { event, timestamp, orgId, data }: Omit<Payload, 'deliveryId'>,
  id = newIdAt(new Date(timestamp)),
): { id: string; body: string } {
  const body = { event, deliveryId: id, timestamp, orgId, data } satisfies Record<keyof DeliveryPayload, unknown>;
  return { id, body: JSON.stringify(body) };
}

/** Whether a fact is the approval of one of several approvers. The event is sent when the last of them approves. */
function isPartOfApproval(fact: Fact): boolean {
  return fact.type === 'approval.granted' && !fact.isComplete;
}

function approvalOf(fact: Fact, actorUserId: string | null) {
  switch (fact.type) {
    case 'approval.requested':
      return { executionEntryId: fact.entryId, actorUserId, comment: null };
    case 'approval.granted':
    case 'approval.rejected':
      return { executionEntryId: fact.entryId, actorUserId: fact.userId, comment: fact.comment };
    default:
      return {};
  }
}

function dataOf(run: RunState, fact: Fact) {
  const data = { runId: run.id, templateId: run.templateId };
  if (!('runTaskId' in fact)) return data;
  const task = run.tasks.find((candidate) => candidate.id === fact.runTaskId);
  return { ...data, runTaskId: fact.runTaskId, taskId: task?.definition.id ?? fact.runTaskId };
}
