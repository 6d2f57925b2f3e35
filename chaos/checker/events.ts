import { specifiedEventNames, type DeliveryPayload } from '@runward/contract';
import type { ActivityRow, EventRow, History, Violation } from '../history/history.ts';

const published = new Set<string>(specifiedEventNames);

/** The events about work on tasks that a fact can lead to. */
const workEvents: Readonly<Record<string, readonly string[]>> = {
  'run.started': ['task.assigned', 'task.ready'],
  'run.migrated': ['task.assigned', 'task.ready'],
  'task.assigned': ['task.assigned', 'task.unassigned'],
  'task.unblocked': ['task.ready'],
  'task.shown': ['task.ready'],
  'task.reopened': ['task.reopened'],
  'task.due_soon': ['task.due_soon', 'approval.due_soon'],
};

/** Facts that always lead to the event of their name. */
const alwaysWork = new Set(['task.reopened', 'task.due_soon']);

/**
 * Checks that every published fact has exactly one event of its name, every event has a fact that leads to it, once for
 * each task, and the activity of a run has no gap.
 */
export function checkEvents({ runs, activity, events }: Pick<History, 'runs' | 'activity' | 'events'>): Violation[] {
  const violations: Violation[] = [];
  const report = (rule: string, detail: string) => violations.push({ rule, detail });
  const facts = Map.groupBy(activity, ({ runId }) => runId);
  for (const { id, activityCount } of runs) {
    const sequences = (facts.get(id) ?? []).map(({ sequence }) => sequence);
    const isWhole = sequences.length === activityCount && sequences.every((sequence, index) => sequence === index + 1);
    if (!isWhole) report('gap in activity', `run ${id} counts ${activityCount}, has ${sequences.join(', ')}`);
  }

  const placeOf = ({ runId, sequence }: { runId: string; sequence: number }) => `${runId}/${sequence}`;
  const byPlace = Map.groupBy(
    events.filter(({ event }) => published.has(event)),
    placeOf,
  );
  for (const fact of activity.filter(({ type }) => published.has(type))) {
    const [event, ...others] = byPlace.get(placeOf(fact)) ?? [];
    const name = `${fact.type} of ${placeOf(fact)}`;
    if (!event) report('lost event', `${name} has no event`);
    else if (others.length > 0) report('duplicate event', `${name} has ${others.length + 1} events`);
    else
      for (const detail of differences(fact, event))
        report('event differs', `${event.id} of ${placeOf(fact)}: ${detail}`);
  }
  const types = new Map(activity.map((fact) => [placeOf(fact), fact.type]));
  for (const event of events) {
    const type = types.get(placeOf(event)) ?? '';
    if (event.event !== type && !workEvents[type]?.includes(event.event))
      report('phantom', `event ${event.id} (${event.event}) of ${placeOf(event)} has no activity`);
  }
  return [...violations, ...checkWorkEvents(activity, events, placeOf)];
}

function checkWorkEvents(
  activity: readonly ActivityRow[],
  events: readonly EventRow[],
  placeOf: (at: { runId: string; sequence: number }) => string,
): Violation[] {
  const violations: Violation[] = [];
  const said = (event: EventRow) => {
    const { data } = JSON.parse(event.body) as DeliveryPayload;
    return `${event.event} of ${placeOf(event)}, task ${String(data['runTaskId'])}`;
  };
  const times = Map.groupBy(
    events.filter(({ event }) => !published.has(event)),
    said,
  );
  for (const [name, { length }] of times)
    if (length > 1) violations.push({ rule: 'duplicate event', detail: `${name} has ${length} events` });
  for (const fact of activity.filter(({ type }) => alwaysWork.has(type))) {
    const name = `${fact.type} of ${placeOf(fact)}, task ${fact.runTaskId}`;
    if (!times.has(name)) violations.push({ rule: 'lost event', detail: `${name} has no event` });
  }
  return violations;
}

function differences(fact: ActivityRow, { id, event, body }: EventRow): string[] {
  const { data, ...payload } = JSON.parse(body) as DeliveryPayload;
  const pairs: [string, unknown, unknown][] = [
    ['event', event, fact.type],
    ['body.event', payload.event, fact.type],
    ['body.deliveryId', payload.deliveryId, id],
    ['body.timestamp', Date.parse(payload.timestamp), fact.at],
    ['body.data.runId', data.runId, fact.runId],
    ['body.data.sequence', data.sequence, fact.sequence],
    ['body.data.runTaskId', data['runTaskId'] ?? null, fact.runTaskId],
  ];
  return pairs
    .filter(([, actual, expected]) => actual !== expected)
    .map(([name, actual, expected]) => `${name} is ${String(actual)}, not ${String(expected)}`);
}
