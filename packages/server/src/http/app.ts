import { randomUUID } from 'node:crypto';
import Koa, { type Context, type Next } from 'koa';
import type { Logger } from 'pino';
import type { Metrics } from '../metrics.ts';
import type { MetricsRegistry } from '../prometheus.ts';
import { serveDocs } from './docs.ts';
import type { GuardParts } from './guard.ts';
import { logRequests } from './log-requests.ts';
import { serveMetrics } from './metrics.ts';
import { mount } from './mount.ts';
import { openApiDocument } from './openapi.ts';
import { renderErrors } from './render-error.ts';
import { setSecurityHeaders } from './security-headers.ts';
import { Fault } from '../fault.ts';

/** What the HTTP side needs of the process. */
export interface AppParts extends GuardParts {
  readonly log: Logger;
  readonly metrics: Metrics;
  /** What `/metrics` shows. */
  readonly registry: MetricsRegistry;
  readonly baseUrl: string;
  readonly trustProxy: boolean;
  /** What keeps the process from serving right now, as a clause; null where nothing does. */
  readonly whyNotReady: () => Promise<string | null>;
}

/** The Koa application: request id, log, security headers, errors, the API reference, metrics, the API. */
export function createApp(parts: AppParts): Koa {
  const app = new Koa({ proxy: parts.trustProxy });
  // Koa prints errors of its own accord; ours are rendered and logged where they are caught.
  app.silent = true;
  app.use(identify);
  app.use(logRequests(parts.log, parts.metrics));
  app.use(setSecurityHeaders());
  app.use(renderErrors);
  app.use(serveDocs());
  app.use(serveMetrics(parts.registry));

  const document = openApiDocument(parts.baseUrl);
  const api = mount(parts, {
    health: {
      live: async () => ({ status: 'ok' }),
      ready: async () => {
        const reason = await parts.whyNotReady();
        if (reason !== null) throw new Fault(503, `Not ready: ${reason}.`);
        return { status: 'ok' };
      },
    },
    openapi: { get: async () => document },
  });
  app.use(api);
  return app;
}

async function identify(ctx: Context, next: Next): Promise<void> {
  const requestId = randomUUID();
  ctx.state['requestId'] = requestId;
  ctx.set('x-request-id', requestId);
  await next();
}
