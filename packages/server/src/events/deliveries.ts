import type { DeliveryPayload, EventName } from '@runward/contract';
import type { Fact, FactType, RunState } from '@runward/engine';
import { newId } from '../ids.ts';

/** An enabled webhook that may want events of a run. */
export interface Listener {
  readonly id: string;
  readonly events: readonly EventName[];
}

/** A row of the outbox: the exact body every attempt will send. */
export interface NewDelivery {
  readonly id: string;
  readonly webhookId: string;
  readonly event: EventName;
  readonly body: string;
  readonly createdAt: string;
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

/** The deliveries that facts of a run give rise to: one per event and webhook that wants it. */
export function deliveriesOf(
  organizationId: string,
  run: RunState,
  facts: readonly Fact[],
  listeners: readonly Listener[],
): NewDelivery[] {
  return facts.flatMap((fact) => {
    const event = eventOf[fact.type];
    if (!event) return [];
    const data = dataOf(run, fact);
    return listeners
      .filter((listener) => listener.events.includes(event))
      .map((listener) => newDelivery(listener.id, { event, timestamp: fact.at, orgId: organizationId, data }));
  });
}

/** A delivery of one event to one webhook. */
export function newDelivery(webhookId: string, payload: Omit<DeliveryPayload, 'deliveryId'>): NewDelivery {
  const id = newId();
  const { event, timestamp, orgId, data } = payload;
  const body: DeliveryPayload = { event, deliveryId: id, timestamp, orgId, data };
  return { id, webhookId, event, body: JSON.stringify(body), createdAt: timestamp };
}

function dataOf(run: RunState, fact: Fact): DeliveryPayload['data'] {
  const data = { runId: run.id, templateId: run.templateId };
  if (!('runTaskId' in fact)) return data;
  const task = run.tasks.find((candidate) => candidate.id === fact.runTaskId);
  return { ...data, runTaskId: fact.runTaskId, taskId: task?.definition.id ?? fact.runTaskId };
}
