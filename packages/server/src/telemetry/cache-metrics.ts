import { Counter, Gauge } from '@prometheus-io/client';
import type { Caches, CacheUse } from '../caches.ts';
import type { MetricsRegistry } from './prometheus.ts';

/** Adds the size and the use of the caches to a registry. They are read when the metrics are read. */
export function addCacheMetrics(registry: MetricsRegistry, caches: Caches): void {
  const common = { labelNames: ['cache'], registers: [registry] };
  const gauge = (property: 'entries' | 'bytes', help: string) => {
    const metric = new Gauge({
      ...common,
      name: `cache_${property}`,
      help,
      collect: () => each((use) => metric.set({ cache: use.name }, use[property])),
    });
  };
  const counter = (property: 'hits' | 'misses', help: string) => {
    const metric = new Counter({
      ...common,
      name: `cache_${property}_total`,
      help,
      collect: () => {
        metric.reset();
        each((use) => metric.inc({ cache: use.name }, use[property]));
      },
    });
  };
  const each = (report: (use: CacheUse) => void) => {
    for (const use of caches.use()) report(use);
  };
  gauge('entries', 'Values in a cache.');
  gauge('bytes', 'Estimated bytes of the values in a cache.');
  counter('hits', 'Look-ups that found their value in a cache.');
  counter('misses', 'Look-ups that did not find their value in a cache.');
}
