import type { DeliveryPayload, EventName } from '@runward/contract';
import type { Fact, FactType, RunState } from '@runward/engine';
import { newId } from '../ids.ts';

/** An enabled webhook that may want events of a run. */
export interface Subscriber {
  readonly id: string;
  readonly events: readonly EventName[];
}

/** Something the world may hear of: the exact body that every delivery of it sends, and the webhooks that want it. */
export interface NewEvent {
  /** The `deliveryId` of the body. */
  readonly id: string;
  /** Its place in the activity of the run. */
  readonly sequence: number;
  readonly event: EventName;
  readonly body: string;
  readonly createdAt: string;
  readonly webhookIds: readonly string[];
}

/** Which facts the world hears of; all others stay in the activity log. */
const eventOf: Partial<Record<FactType, EventName>> = {
  'run.started': 'run.started',
  'run.completed': 'run.completed',
  'run.cancelled': 'run.cancelled',
  'run.reopened': 'run.reopened',
  'task.completed': 'task.completed',
  'task.overdue': 'task.overdue',
};

/** The events that facts of a run give rise to. `activityCount` is how many facts the run had before. */
export function eventsOf(
  organizationId: string,
  run: RunState,
  facts: readonly Fact[],
  activityCount: number,
  subscribers: readonly Subscriber[],
): NewEvent[] {
  return facts.flatMap((fact, index) => {
    const event = eventOf[fact.type];
    if (!event) return [];
    const sequence = activityCount + index + 1;
    const data = { ...dataOf(run, fact), sequence };
    const made = newBody({ event, timestamp: fact.at, orgId: organizationId, data });
    const webhookIds = subscribers.filter(({ events }) => events.includes(event)).map(({ id }) => id);
    return [{ ...made, sequence, event, createdAt: fact.at, webhookIds }];
  });
}

/** Whether any webhook is to hear of any of them. */
export function hasSubscribers(events: readonly NewEvent[]): boolean {
  return events.some(({ webhookIds }) => webhookIds.length > 0);
}

/** A body with the new id that stands in it. */
export function newBody(payload: Omit<DeliveryPayload, 'deliveryId'>): { id: string; body: string } {
  const id = newId();
  const { event, timestamp, orgId, data } = payload;
  const body: DeliveryPayload = { event, deliveryId: id, timestamp, orgId, data };
  return { id, body: JSON.stringify(body) };
}

function dataOf(run: RunState, fact: Fact) {
  const data = { runId: run.id, templateId: run.templateId };
  if (!('runTaskId' in fact)) return data;
  const task = run.tasks.find((candidate) => candidate.id === fact.runTaskId);
  return { ...data, runTaskId: fact.runTaskId, taskId: task?.definition.id ?? fact.runTaskId };
}
