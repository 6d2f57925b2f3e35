import { addGauge } from './add-gauge.ts';
import type { MetricsRegistry } from './prometheus.ts';

/** The connections of a pool. */
export interface PoolUse {
  readonly totalCount: number;
  readonly idleCount: number;
  readonly waitingCount: number;
}

/** Adds the use of the pool of database connections of this process to a registry, as soon as there is one. */
export function addPoolMetrics(registry: MetricsRegistry, pool: () => PoolUse | null): void {
  const add = (name: string, help: string, property: keyof PoolUse) =>
    addGauge(registry, name, help, async () => pool()?.[property] ?? 0);
  add('database_pool_connections', 'Open connections to the database, idle or not.', 'totalCount');
  add('database_pool_idle', 'Open connections to the database that are idle.', 'idleCount');
  add('database_pool_waiting', 'Work that waits for a connection to the database.', 'waitingCount');
}
