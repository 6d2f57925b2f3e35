import type { DeliveryPayload, EventName } from '@runward/contract';
import type { Fact, FactType, RunState } from '@runward/engine';
import type { Author } from '../access/actor.ts';
import { newIdAt } from '../ids.ts';
import type { Subscriber } from './queries/select-subscribers.ts';

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

/** The facts that become events. All other facts appear only in the activity log. */
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

/** The events of a run's new facts that an author caused. `activityCount` is the number of earlier facts. */
export function eventsOf(
  organizationId: string,
  run: RunState,
  facts: readonly Fact[],
  activityCount: number,
  subscribers: readonly Subscriber[],
  { userId }: Pick<Author, 'userId'>,
): NewEvent[] {
  return facts.flatMap((fact, index) => {
    const event = eventOf[fact.type];
    if (!event || isPartOfApproval(fact)) return [];
    const sequence = activityCount + index + 1;
    const data = { ...dataOf(run, fact), ...approvalOf(fact, userId), sequence };
    const created = newBody({ event, timestamp: fact.at, orgId: organizationId, data });
    const webhookIds = subscribers.filter(({ events }) => events.includes(event)).map(({ id }) => id);
    return [{ ...created, sequence, event, createdAt: fact.at, webhookIds }];
  });
}

/** Whether a webhook is subscribed to one of the events. */
export function hasSubscribers(events: readonly NewEvent[]): boolean {
  return events.some(({ webhookIds }) => webhookIds.length > 0);
}

/** Creates a body with a new id, and returns both. Sorting events by id sorts them by timestamp. */
export function newBody(payload: Omit<DeliveryPayload, 'deliveryId'>): { id: string; body: string } {
  const { event, timestamp, orgId, data } = payload;
  const id = newIdAt(new Date(timestamp));
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
