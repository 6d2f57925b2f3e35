import type { Logger } from 'pino';
import type { Config } from '../../config.ts';
import type { MetricsRegistry } from '../../telemetry/prometheus.ts';
import { addReplicaMetrics } from '../../telemetry/replica-metrics.ts';
import { closeDatabase } from '../close-database.ts';
import type { Database } from '../database.ts';
import { openReplicaReads, type ReplicaReads } from './replica-reads.ts';

/** What reads at a replica need of the process. */
export interface ReplicaParts {
  readonly database: Database;
  /** The URL of that database. */
  readonly databaseUrl: string;
  readonly registry: MetricsRegistry;
  readonly log: Logger;
}

/** Opens the configured replica and adds its metrics. Disposing `started` closes it. Null if none is configured. */
export async function openReplica(
  { databaseReadUrl: url, databasePoolSize: poolSize }: Pick<Config, 'databaseReadUrl' | 'databasePoolSize'>,
  { database, databaseUrl: primaryUrl, registry, log }: ReplicaParts,
  started: AsyncDisposableStack,
): Promise<ReplicaReads | null> {
  let opened: ReplicaReads | null = null;
  const count = addReplicaMetrics(registry, () => opened?.watch ?? null);
  if (url === undefined) return null;
  opened = await openReplicaReads({ url, primaryUrl, poolSize, database, count, log });
  return started.adopt(opened, closeDatabase);
}
