import { Gauge } from '@prometheus-io/client';
import type { MetricsRegistry } from './prometheus.ts';

/** The connections of a pool. */
export interface PoolUse {
  readonly totalCount: number;
  readonly idleCount: number;
  readonly waitingCount: number;
}

/** Adds the use of the pool of database connections of this process to a registry, as soon as there is one. */
export function addPoolMetrics(registry: MetricsRegistry, pool: () => PoolUse | null): void {
  const gauge = (name: string, help: string, property: keyof PoolUse) => {
    const metric = new Gauge({
      name,
      help,
      registers: [registry],
      collect: () => {
        metric.set(pool()?.[property] ?? 0);
      },
    });
  };
  gauge('database_pool_connections', 'Open connections to the database, idle or not.', 'totalCount');
  gauge('database_pool_idle', 'Open connections to the database that are idle.', 'idleCount');
  gauge('database_pool_waiting', 'Work that waits for a connection to the database.', 'waitingCount');
}
