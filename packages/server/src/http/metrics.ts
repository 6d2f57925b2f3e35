import type { Context, Next } from 'koa';
import type { MetricsRegistry } from '../telemetry/prometheus.ts';

const path = '/metrics';

/** The figures of this process as Prometheus reads them. Like the API reference it needs no key. */
export function serveMetrics(registry: MetricsRegistry) {
  return async (ctx: Context, next: Next): Promise<void> => {
    if (ctx.method !== 'GET' || ctx.path !== path) return next();
    ctx.state['operation'] = 'metrics';
    ctx.body = await registry.metrics();
    ctx.set('content-type', registry.contentType);
  };
}
