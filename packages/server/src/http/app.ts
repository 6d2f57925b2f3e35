import { randomUUID } from 'node:crypto';
import Koa, { type Context, type Next } from 'koa';
import type { Logger } from 'pino';
import { unavailable } from '../api-error.ts';
import { clientAddress, type TrustedProxies } from '../client-address.ts';
import type { Metrics } from '../telemetry/metrics.ts';
import { stateAllowance } from './caller/allowance.ts';
import { serveDocs } from './docs/serve-docs.ts';
import type { GuardParts } from './guard.ts';
import { createInProcessFetch } from './in-process/in-process.ts';
import { serveMcp } from './mcp.ts';
import { mount, routesOf, type ProcessHandlers } from './mount.ts';
import { openApiDocument } from './openapi/document.ts';
import { renderErrors } from './render-error.ts';
import { compress } from './response/compress.ts';
import { setSecurityHeaders } from './security-headers.ts';
import { logRequests } from './telemetry/log-requests.ts';
import { serveMetrics, type MetricsAccess } from './telemetry/metrics.ts';
import { traceRequests } from './telemetry/trace-requests.ts';
import { rejectUnrouted, serveMissingPages } from './unrouted.ts';

/** What the health and metrics endpoints need. */
export interface ProbeParts {
  readonly log: Logger;
  readonly metrics: Metrics;
  /** What `/metrics` serves; null if the metrics have a separate port. */
  readonly metricsAccess: MetricsAccess | null;
  /** The proxies that state the address of the client. */
  readonly trustedProxies: TrustedProxies;
  /** Whether requests are traced. Default: false. */
  readonly traces?: boolean;
  /** Why the process is not ready, as a clause; null if it is. */
  readonly whyNotReady: () => Promise<string | null>;
}

/** What the API needs, besides the parts for health and metrics. */
export interface AppParts extends ProbeParts, GuardParts {
  /** Whether responses are compressed for clients that ask for it. */
  readonly compresses: boolean;
}

/**
 * Creates the Koa application: request id, log, security headers, errors, API, metrics, documentation, and tools for
 * language models.
 */
export function createApp(parts: AppParts): Koa {
  // Making it takes 0.2 s and 4 MB, and few processes are ever asked for it.
  let made: Record<string, unknown> | undefined;
  const document = () => (made ??= openApiDocument());
  const app = createBase(parts);
  const fetchFor = createInProcessFetch(() => {
    const handle = app.callback();
    return (request, response) => void handle(request, response);
  });
  const routes = routesOf(
    { ...parts, fetchFor },
    { health: healthOf(parts), openapi: { get: async () => document() } },
  );
  if (parts.compresses) app.use(compress());
  app.use(stateAllowance(parts.rateLimiter));
  app.use(mount(routes, parts.baseUrl));
  if (parts.metricsAccess) app.use(serveMetrics(parts.metricsAccess));
  app.use(serveDocs(document));
  app.use(serveMcp({ ...parts, fetchFor }));
  app.use(serveMissingPages({ ...parts, fetchFor }));
  app.use(rejectUnrouted(routes, parts));
  return app;
}

/** Creates the application of a process without the API: health and metrics. */
export function createProbes(parts: ProbeParts): Koa {
  const routes = routesOf(null, { health: healthOf(parts) });
  const app = createBase(parts);
  app.use(mount(routes));
  if (parts.metricsAccess) app.use(serveMetrics(parts.metricsAccess));
  app.use(rejectUnrouted(routes, null));
  return app;
}

function createBase({ log, metrics, trustedProxies, traces = false }: ProbeParts): Koa {
  const app = new Koa();
  // Disables Koa's logging of errors: middleware renders and logs them.
  app.silent = true;
  app.use(identify(trustedProxies));
  if (traces) app.use(traceRequests());
  app.use(logRequests(log, metrics));
  app.use(setSecurityHeaders());
  app.use(renderErrors);
  return app;
}

function healthOf({ whyNotReady }: ProbeParts): ProcessHandlers['health'] {
  return {
    live: async () => ({ status: 'ok' }),
    ready: async () => {
      const reason = await whyNotReady();
      if (reason !== null) throw unavailable(`Not ready: ${reason}.`);
      return { status: 'ok' };
    },
  };
}

function identify(trustedProxies: TrustedProxies) {
  return async (ctx: Context, next: Next): Promise<void> => {
    const requestId = randomUUID();
    ctx.state['requestId'] = requestId;
    ctx.set('x-request-id', requestId);
    ctx.request.ip = clientAddress(ctx.socket.remoteAddress, ctx.get('x-forwarded-for'), trustedProxies);
    await next();
  };
}
