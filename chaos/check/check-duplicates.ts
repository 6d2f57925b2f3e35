import type { Evidence, Incident, Received, Violation } from '../evidence.ts';
import { isSuccess } from './check-deliveries.ts';

/** Successes beyond the first of an event at a webhook, by what explains them. */
export interface Duplicates {
  readonly byKill: number;
  readonly byDatabase: number;
  readonly unexplained: number;
}

/** What an attempt may take before its request arrives, and what writing its result down may take on a busy machine. */
const beforeMs = 1_000;
const recordingMs = 5_000;

/** A lease lasts 60 s from the claim; a database that stalls can take most of 15 s to tell the worker of it. */
const leastLeaseMs = 44_000;

/**
 * A request that was answered with a success is followed by another one only where the result of the first could not be written: its
 * worker was killed or stopped, or the database was away, before it was; and then not before the lease ran out.
 */
export function checkDuplicates({ received, incidents }: Evidence): {
  violations: Violation[];
  duplicates: Duplicates;
} {
  const violations: Violation[] = [];
  const counts = { byKill: 0, byDatabase: 0, unexplained: 0 };
  for (const [name, requests] of Map.groupBy(received, ({ path, id }) => `${path}/${id}`)) {
    const inOrder = requests.toSorted((one, other) => one.arrivedAt - other.arrivedAt);
    let successes = 0;
    for (const [index, request] of inOrder.entries()) {
      if (!isSuccess(request.status)) continue;
      successes += 1;
      const next = inOrder[index + 1];
      if (!next) continue;
      const cause = causeOf(request, incidents);
      const gap = next.arrivedAt - request.arrivedAt;
      // Counted by the success that follows: one that never comes is no duplicate, yet has to be explained.
      if (inOrder.slice(index + 1).some(({ status }) => isSuccess(status))) counts[cause.by] += 1;
      const detail = `${name} was sent again ${gap} ms after success ${successes}`;
      if (cause.by === 'unexplained') violations.push({ rule: 'duplicate', detail: `${detail}; nothing explains it` });
      // One who stops in good order gives back what it could not finish.
      else if (gap < leastLeaseMs && cause.kind !== 'stop') {
        violations.push({ rule: 'duplicate', detail: `${detail}, while its lease lasted` });
      }
    }
  }
  return { violations, duplicates: counts };
}

function causeOf(request: Received, incidents: readonly Incident[]) {
  const from = request.arrivedAt - beforeMs;
  const overlaps = (incident: Incident, until: number) => incident.from <= until && incident.to >= from;
  const atDatabase = incidents.filter(({ kind }) => kind === 'restart' || kind === 'stall');
  let until = request.answeredAt + recordingMs;
  // While the database is away the result waits, and its worker can still be killed.
  for (const incident of atDatabase.toSorted((one, other) => one.from - other.from)) {
    if (overlaps(incident, until)) until = Math.max(until, incident.to + recordingMs);
  }
  // Only the moment of the kill matters: the worker that is started afterwards knows nothing of the attempt.
  const lost = incidents.find(
    ({ kind, target, from: at }) =>
      (kind === 'kill' || kind === 'stop') && target.startsWith('worker') && at >= from && at <= until,
  );
  if (lost) return { by: 'byKill', kind: lost.kind } as const;
  const away = atDatabase.find((incident) => overlaps(incident, request.answeredAt + recordingMs));
  return away ? ({ by: 'byDatabase', kind: away.kind } as const) : ({ by: 'unexplained', kind: null } as const);
}
