import type { Context, Next } from 'koa';
import type { MetricsRegistry } from '../telemetry/prometheus.ts';

const path = '/metrics';

/** Serves the metrics of this process in Prometheus format. Like the API reference, it requires no authentication. */
export function serveMetrics(registry: MetricsRegistry) {
  return async (ctx: Context, next: Next): Promise<void> => {
    if (ctx.method !== 'GET' || ctx.path !== path) return next();
    ctx.state['operation'] = 'metrics';
    ctx.body = await registry.metrics();
    ctx.set('content-type', registry.contentType);
  };
}
