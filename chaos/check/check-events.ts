import { eventNames, type DeliveryPayload } from '@runward/contract';
import type { ActivityRow, EventRow, Evidence, Violation } from '../evidence.ts';

const heard = new Set<string>(eventNames);

/** Every state change has its one event, every event its state change, and the activity of a run has no gap. */
export function checkEvents({ runs, activity, events }: Evidence): Violation[] {
  const violations: Violation[] = [];
  const say = (rule: string, detail: string) => violations.push({ rule, detail });
  const facts = Map.groupBy(activity, ({ runId }) => runId);
  for (const { id, activityCount } of runs) {
    const sequences = (facts.get(id) ?? []).map(({ sequence }) => sequence);
    const isWhole = sequences.length === activityCount && sequences.every((sequence, index) => sequence === index + 1);
    if (!isWhole) say('activity with gaps', `run ${id} counts ${activityCount}, has ${sequences.join(', ')}`);
  }

  const place = ({ runId, sequence }: { runId: string; sequence: number }) => `${runId}/${sequence}`;
  const byPlace = Map.groupBy(events, place);
  for (const fact of activity.filter(({ type }) => heard.has(type))) {
    const [event, ...others] = byPlace.get(place(fact)) ?? [];
    if (!event) say('lost event', `${fact.type} of ${place(fact)} has no event`);
    else if (others.length > 0) say('event twice', `${fact.type} of ${place(fact)} has ${others.length + 1} events`);
    else
      for (const detail of differences(fact, event)) say('event differs', `${event.id} of ${place(fact)}: ${detail}`);
  }
  const known = new Set(activity.filter(({ type }) => heard.has(type)).map(place));
  for (const event of events) {
    if (!known.has(place(event)))
      say('made up', `event ${event.id} (${event.event}) of ${place(event)} has no activity`);
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
    .filter(([, is, should]) => is !== should)
    .map(([name, is, should]) => `${name} is ${String(is)}, not ${String(should)}`);
}
