import { Counter } from '@prometheus-io/client';
import { addGauge } from './add-gauge.ts';
import type { MetricsRegistry } from './prometheus.ts';

/** The state of the replica. */
export interface ReplicaUse {
  /** Whether requests may read there. */
  isInUse(): boolean;
  /** How far it is behind the primary, in seconds; null if that is unknown. */
  lagSeconds(): number | null;
}

const sources = ['primary', 'replica'] as const;

/** Adds the metrics of a replica to a registry, without values if there is none, and returns what counts the reads. */
export function addReplicaMetrics(
  registry: MetricsRegistry,
  replica: () => ReplicaUse | null,
): (source: (typeof sources)[number]) => void {
  addGauge(
    registry,
    'database_replica_lag_seconds',
    'How far the replica is behind the primary; absent while it is unknown.',
    async () => replica()?.lagSeconds() ?? null,
  );
  addGauge(
    registry,
    'database_replica_in_use',
    'Whether requests may read at the replica: 1, or 0 if it is down, too far behind, or no replica of the database.',
    async () => {
      const use = replica();
      return use && Number(use.isInUse());
    },
  );
  const reads = new Counter({
    name: 'database_replica_reads_total',
    help: 'Statements and snapshots of requests that may read at the replica, by the database that was read.',
    labelNames: ['source'],
    registers: [registry],
    collect: () => {
      if (replica() !== null) for (const source of sources) reads.inc({ source }, 0);
    },
  });
  return (source) => reads.inc({ source });
}
