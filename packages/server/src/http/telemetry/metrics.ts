import type { Context, Next } from 'koa';
import { unauthorized } from '../../api-error.ts';
import { isSameToken } from '../../organization/session-token.ts';
import type { MetricsRegistry } from '../../telemetry/prometheus.ts';
import { keyIn } from '../caller/authenticate.ts';

const path = '/metrics';

/** The metrics of a process, and who may read them. */
export interface MetricsAccess {
  readonly registry: MetricsRegistry;
  /** What callers send as their bearer token. If undefined, anyone may read the metrics. */
  readonly token: string | undefined;
}

/** Serves the metrics of this process in Prometheus format. Throws a 401 without their token. */
export function serveMetrics({ registry, token }: MetricsAccess) {
  return async (ctx: Context, next: Next): Promise<void> => {
    if (ctx.method !== 'GET' || ctx.path !== path) return next();
    ctx.state['operation'] = 'metrics';
    if (token !== undefined && !isSameToken(token, keyIn(ctx.get('authorization')) ?? '')) {
      throw unauthorized(
        'authentication_required',
        'Authentication required: send the value of METRICS_TOKEN as "Authorization: Bearer …".',
      );
    }
    ctx.body = await registry.metrics();
    ctx.set('content-type', registry.contentType);
  };
}
