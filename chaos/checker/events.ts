import { eventNames, type DeliveryPayload } from '@runward/contract';
import type { ActivityRow, EventRow, History, Violation } from '../history/history.ts';

const published = new Set<string>(eventNames);

/**
 * Checks that every published fact has exactly one event, every event has its fact, and the activity of a run has no
 * gap.
 */
export function checkEvents({ runs, activity, events }: History): Violation[] {
  const violations: Violation[] = [];
  const report = (rule: string, detail: string) => violations.push({ rule, detail });
  const facts = Map.groupBy(activity, ({ runId }) => runId);
  for (const { id, activityCount } of runs) {
    const sequences = (facts.get(id) ?? []).map(({ sequence }) => sequence);
    const isWhole = sequences.length === activityCount && sequences.every((sequence, index) => sequence === index + 1);
    if (!isWhole) report('gap in activity', `run ${id} counts ${activityCount}, has ${sequences.join(', ')}`);
  }

  const placeOf = ({ runId, sequence }: { runId: string; sequence: number }) => `${runId}/${sequence}`;
  const byPlace = Map.groupBy(events, placeOf);
  for (const fact of activity.filter(({ type }) => published.has(type))) {
    const [event, ...others] = byPlace.get(placeOf(fact)) ?? [];
    const name = `${fact.type} of ${placeOf(fact)}`;
    if (!event) report('lost event', `${name} has no event`);
    else if (others.length > 0) report('duplicate event', `${name} has ${others.length + 1} events`);
    else
      for (const detail of differences(fact, event))
        report('event differs', `${event.id} of ${placeOf(fact)}: ${detail}`);
  }
  const known = new Set(activity.filter(({ type }) => published.has(type)).map(placeOf));
  for (const event of events) {
    if (!known.has(placeOf(event)))
      report('phantom', `event ${event.id} (${event.event}) of ${placeOf(event)} has no activity`);
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
