import type { EventRow, Evidence, Violation } from '../evidence.ts';

/** The feed gives every event once, those of a run in their order; and to all readers the same. */
export function checkFeed({ events, feeds }: Evidence): Violation[] {
  const violations: Violation[] = [];
  const say = (rule: string, detail: string) => violations.push({ rule, detail });
  const byId = new Map(events.map((event) => [event.id, event]));
  const { after, during } = feeds;
  for (const [id, times] of Map.groupBy(after, (id) => id)) {
    if (!byId.has(id)) say('made up', `the feed has ${id}, which is no event`);
    if (times.length > 1) say('feed twice', `the feed has ${id} ${times.length} times`);
  }
  const shown = new Set(after);
  for (const { id, event } of events) if (!shown.has(id)) say('lost from the feed', `${event} ${id}`);

  const last = new Map<string, EventRow>();
  for (const event of after.flatMap((id) => byId.get(id) ?? [])) {
    const before = last.get(event.runId);
    if (before && before.sequence >= event.sequence) {
      say('feed out of order', `run ${event.runId} has ${event.sequence} after ${before.sequence}`);
    }
    last.set(event.runId, event);
  }

  const differs = after.findIndex((id, index) => id !== during[index]);
  if (differs !== -1 || during.length !== after.length) {
    const place = differs === -1 ? after.length : differs;
    const detail = `from place ${place + 1} on: ${during[place] ?? 'nothing'} during the storm, ${after[place] ?? 'nothing'} after it`;
    say('lost from the feed of one who followed', detail);
  }
  return violations;
}
