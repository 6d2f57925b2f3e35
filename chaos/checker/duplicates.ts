import type { History, InjectedFault, Received, Violation } from '../history/history.ts';
import { isSuccess } from './deliveries.ts';

/** Repeated successes of an event at a webhook, by the fault that explains them. */
export interface Duplicates {
  readonly byKill: number;
  readonly byDatabase: number;
  readonly unexplained: number;
}

/**
 * The longest delay on a busy machine between the start of an attempt and the arrival of its request, and between its
 * response and its record.
 */
const beforeMs = 1_000;
const recordingMs = 5_000;

/** How long a worker that shuts down in order goes on with what is in progress. */
const graceMs = 2_500;

/** When an attempt begins, at least 10 s of the lease of its webhook are left, less the time until it arrives. */
const minLeaseMs = 9_000;

/**
 * Looks for repeated requests after a success. They are allowed only if the result of the first request could not be
 * recorded, because a fault ended its worker or the database was down. The repetition must also come after the lease
 * expired.
 */
export function checkDuplicates({ received, faults }: History): {
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
      const cause = causeOf(request, faults);
      const gap = next.arrivedAt - request.arrivedAt;
      // Only a later success is a duplicate, but every request after a success needs an explanation.
      if (inOrder.slice(index + 1).some(({ status }) => isSuccess(status))) counts[cause.by] += 1;
      const detail = `${name} was sent again ${gap} ms after success ${successes}`;
      if (cause.by === 'unexplained') violations.push({ rule: 'duplicate', detail: `${detail}; no fault explains it` });
      // A worker that shuts down in order releases what it did not finish.
      else if (gap < minLeaseMs && cause.kind !== 'stop') {
        violations.push({ rule: 'duplicate', detail: `${detail}, before its lease expired` });
      }
    }
  }
  return { violations, duplicates: counts };
}

/**
 * The fault because of which the result of a request could not be recorded. `worker` is the one that sent it, if that
 * is known.
 */
export function causeOf(
  request: Pick<Received, 'arrivedAt' | 'respondedAt'>,
  faults: readonly InjectedFault[],
  worker = 'worker',
) {
  const from = request.arrivedAt - beforeMs;
  const overlaps = (fault: InjectedFault, until: number) => fault.from <= until && fault.to >= from;
  const ofDatabase = faults.filter(({ kind }) => kind === 'restart' || kind === 'stall');
  let until = request.respondedAt + recordingMs;
  // While the database is down, the result is not recorded, and the worker can still be killed.
  for (const fault of ofDatabase.toSorted((one, other) => one.from - other.from)) {
    if (overlaps(fault, until)) until = Math.max(until, fault.to + recordingMs);
  }
  // Only the moment of the kill counts, because the replacing worker does not know about the attempt. A worker that
  // shuts down in order ends it a little later.
  const lost = faults.find(
    ({ kind, target, from: at }) =>
      (kind === 'kill' || kind === 'stop') &&
      target.startsWith(worker) &&
      at >= (kind === 'stop' ? from - graceMs : from) &&
      at <= until,
  );
  if (lost) return { by: 'byKill', kind: lost.kind } as const;
  const down = ofDatabase.find((fault) => overlaps(fault, request.respondedAt + recordingMs));
  return down ? ({ by: 'byDatabase', kind: down.kind } as const) : ({ by: 'unexplained', kind: null } as const);
}
