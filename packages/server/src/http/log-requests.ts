import type { Context, Next } from 'koa';
import type { Logger } from 'pino';
import type { Actor } from '../access/actor.ts';
import type { Metrics } from '../telemetry/metrics.ts';

/** What the parts of the HTTP side find out about a request; they keep it in `ctx.state`. */
export interface RequestState {
  readonly requestId: string;
  /** The endpoint's name in the contract, or that of a page beside the API. */
  readonly operation?: string;
  readonly actor?: Actor;
  /** What went wrong on our side. */
  readonly error?: unknown;
}

/** Asked again and again by machines. */
const isQuiet = (operation: string) => operation === 'metrics' || operation.startsWith('health.');
const longestPath = 500;

/** Logs and counts every request once, when its answer is out or its caller gone, and its handler through. */
export function logRequests(log: Logger, metrics: Metrics) {
  return async (ctx: Context, next: Next): Promise<void> => {
    const began = performance.now();
    const closed = new Promise<void>((resolve) => ctx.res.once('close', resolve));
    try {
      await next();
    } finally {
      void closed.then(() => report(ctx, performance.now() - began, log, metrics));
    }
  };
}

function report(ctx: Context, ms: number, log: Logger, metrics: Metrics): void {
  const { requestId, operation = 'unknown', actor, error }: RequestState = ctx.state as RequestState;
  const { method } = ctx;
  const aborted = !ctx.res.writableFinished;
  const status = aborted ? null : ctx.status;
  metrics.request({ operation, method, status, seconds: ms / 1000 });

  const failed = error !== undefined || (status !== null && status >= 500 && !isQuiet(operation));
  const level = failed ? 'error' : isQuiet(operation) ? 'debug' : 'info';
  if (!log.isLevelEnabled(level)) return;
  const facts = {
    requestId,
    method,
    // Never the query string: callers put into it what should be in headers.
    path: ctx.path.slice(0, longestPath),
    operation,
    status,
    ms: Math.round(ms * 10) / 10,
    ...(actor && { organizationId: actor.organizationId, userId: actor.userId }),
    ...(actor?.apiKeyId && { apiKeyId: actor.apiKeyId }),
    ...(aborted && { aborted }),
    ...(error !== undefined && { err: error }),
  };
  log[level](facts, failed ? 'request failed' : aborted ? 'request aborted' : 'request');
}
