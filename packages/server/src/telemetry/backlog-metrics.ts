import { addGauge } from './add-gauge.ts';
import type { MetricsRegistry } from './prometheus.ts';

/** What waits in the database, for all processes. Times are in seconds, and 0 if nothing waits. */
export interface Backlog {
  /** How long the oldest due delivery has been due. */
  readonly deliverySeconds: number;
  /** How long the deadline has passed whose passing was not detected yet. */
  readonly overdueSeconds: number;
  /** The age of the oldest event that has no position in the feed. */
  readonly feedSeconds: number;
  /** Files that wait for a virus scan. */
  readonly scans: number;
}

/** The name and the meaning of each metric. */
const gauges = {
  deliverySeconds: [
    'webhook_delivery_lag_seconds',
    'How long the oldest due webhook delivery has been due, across all processes; 0 if none is due.',
  ],
  overdueSeconds: [
    'overdue_detection_lag_seconds',
    'How long ago the oldest deadline passed whose passing was not detected yet; 0 if there is none.',
  ],
  feedSeconds: [
    'event_placement_lag_seconds',
    'Age of the oldest event without a position in the feed; 0 if there is none.',
  ],
  scans: ['file_scans_waiting', 'Files that wait for a virus scan.'],
} as const satisfies Record<keyof Backlog, readonly [name: string, help: string]>;

/** Adds what waits in the database to a registry. The metrics are absent if it cannot be read within a second. */
export function addBacklogMetrics(registry: MetricsRegistry, read: () => Promise<Backlog>): void {
  for (const [property, [name, help]] of Object.entries(gauges)) {
    addGauge(registry, name, help, async () => (await read())[property as keyof Backlog]);
  }
}

/** Adds the number of pending deliveries. It is read by itself, so that a slow count does not hide the backlog. */
export function addPendingMetric(registry: MetricsRegistry, count: () => Promise<number>): void {
  addGauge(
    registry,
    'webhook_deliveries_pending',
    'Webhook deliveries waiting for an attempt, across all processes; absent while the database does not respond.',
    count,
  );
}

/**
 * Calls `read` at most once in a period, and only when somebody asks. Everyone else gets the result of the last call,
 * also if it failed or has not ended.
 */
export function atMostEvery<Result>(
  periodMs: number,
  read: () => Promise<Result>,
  now = () => performance.now(),
): () => Promise<Result> {
  let last: { readonly at: number; readonly result: Promise<Result> } | undefined;
  return () => {
    if (last === undefined || now() - last.at >= periodMs) last = { at: now(), result: read() };
    return last.result;
  };
}
