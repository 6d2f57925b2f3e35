import { collectDefaultMetrics, Registry, type PrometheusContentType } from '@prometheus-io/client';
import type { Caches } from '../caches.ts';
import type { Database, Em } from '../database/database.ts';
import { inTransaction } from '../database/transaction.ts';
import { countWaitingScans } from '../files/queries/claim-file.ts';
import { overdueSeconds } from '../runs/queries/find-due-runs.ts';
import { addBacklogMetrics, addPendingMetric, atMostEvery, type Backlog } from '../telemetry/backlog-metrics.ts';
import { addCacheMetrics } from '../telemetry/cache-metrics.ts';
import type { Metrics } from '../telemetry/metrics.ts';
import { addPoolMetrics, type PoolUse } from '../telemetry/pool-metrics.ts';
import { prometheusMetrics, type MetricsRegistry } from '../telemetry/prometheus.ts';
import { countPendingDeliveries } from '../webhooks/queries/count-pending-deliveries.ts';
import { deliverySeconds } from '../webhooks/queries/lease-webhooks.ts';
import { unplacedSeconds } from '../webhooks/queries/place-events.ts';

/** What the metrics are read from. */
export interface MetricsParts {
  readonly database: Database;
  readonly caches: Caches;
  /** The pool of connections of the database, if it exists already. */
  readonly pool: () => PoolUse | null;
}

/** However often the metrics are read, the database is asked once in this time. */
const periodMs = 5_000;

/** Creates the metrics of a process, and the registry in which they are counted. */
export function createMetrics({ database, caches, pool }: MetricsParts): {
  readonly metrics: Metrics;
  readonly registry: MetricsRegistry;
} {
  const registry = new Registry<PrometheusContentType>();
  const read = <Result>(work: (em: Em) => Promise<Result>) =>
    atMostEvery(periodMs, () => inTransaction(database, work));
  collectDefaultMetrics({ register: registry });
  addCacheMetrics(registry, caches);
  addPoolMetrics(registry, pool);
  addBacklogMetrics(registry, read(readBacklog));
  addPendingMetric(registry, read(countPendingDeliveries));
  return { metrics: prometheusMetrics(registry), registry };
}

/** What waits in the database. Throws if one of its statements takes longer than a second. */
export async function readBacklog(em: Em): Promise<Backlog> {
  await em.execute('set local statement_timeout = 1000');
  return {
    deliverySeconds: await deliverySeconds(em),
    overdueSeconds: await overdueSeconds(em),
    feedSeconds: await unplacedSeconds(em),
    scans: await countWaitingScans(em),
  };
}
