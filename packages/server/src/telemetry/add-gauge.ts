import { Gauge } from '@prometheus-io/client';
import { withDeadline } from '../deadline.ts';
import type { MetricsRegistry } from './prometheus.ts';

/** A scrape does not wait longer for the database. */
const timeBudgetMs = 1_000;

/**
 * Adds a metric whose value is read with the metrics. It is absent while that is null, and if reading it fails or takes
 * longer than a second.
 */
export function addGauge(
  registry: MetricsRegistry,
  name: string,
  help: string,
  read: () => Promise<number | null>,
): void {
  const gauge = new Gauge({
    name,
    help,
    registers: [registry],
    collect: async () => {
      const value = await withDeadline(
        timeBudgetMs,
        read().catch(() => null),
        () => null,
      );
      if (value === null) gauge.remove();
      else gauge.set(value);
    },
  });
}
