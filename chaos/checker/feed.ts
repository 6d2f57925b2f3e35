import type { EventRow, History, Violation } from '../history/history.ts';

/** Checks that the feed returns every event once, the events of a run in order, and the same to every reader. */
export function checkFeed({ events, feeds }: History): Violation[] {
  const violations: Violation[] = [];
  const report = (rule: string, detail: string) => violations.push({ rule, detail });
  const byId = new Map(events.map((event) => [event.id, event]));
  const { after, during } = feeds;
  for (const [id, times] of Map.groupBy(after, (id) => id)) {
    if (!byId.has(id)) report('phantom', `the feed has ${id}, which is not an event`);
    if (times.length > 1) report('duplicate in feed', `the feed has ${id} ${times.length} times`);
  }
  const returned = new Set(after);
  for (const { id, event } of events) if (!returned.has(id)) report('lost from feed', `${event} ${id}`);

  const last = new Map<string, EventRow>();
  for (const event of after.flatMap((id) => byId.get(id) ?? [])) {
    const before = last.get(event.runId);
    if (before && (before.sequence > event.sequence || before.id === event.id)) {
      report('feed out of order', `run ${event.runId} has ${event.sequence} after ${before.sequence}`);
    }
    last.set(event.runId, event);
  }

  const firstDifference = after.findIndex((id, index) => id !== during[index]);
  if (firstDifference !== -1 || during.length !== after.length) {
    const at = firstDifference === -1 ? after.length : firstDifference;
    const detail = `position ${at + 1} is ${during[at] ?? 'missing'} for the reader that followed, ${after[at] ?? 'missing'} afterwards`;
    report('lost from followed feed', detail);
  }
  return violations;
}
