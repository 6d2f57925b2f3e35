import type { Context, Next } from 'koa';
import type { Logger } from 'pino';
import type { Actor } from '../../access/actor.ts';
import { knownFields } from '../../telemetry/log.ts';
import type { Metrics } from '../../telemetry/metrics.ts';

/** What middleware stores about a request in `ctx.state`. */
export interface RequestState {
  readonly requestId: string;
  /** The name of the endpoint in the contract, or of a page outside the API. */
  readonly operation?: string;
  /** The template of its path. */
  readonly route?: string;
  readonly actor?: Actor;
  /** The cause of a 5xx, or of another response that shows a defect of the service. */
  readonly error?: unknown;
  /** The code of the 429 with which the request was rejected. */
  readonly limit?: string;
  /** Why the request was rejected, for operators. */
  readonly reason?: string;
}

/** Machines poll these, so they are logged only at level debug. */
const isQuiet = (operation: string) => operation === 'metrics' || operation.startsWith('health.');
const maximumPathLength = 500;

/**
 * Logs and counts each request once, after its handler has ended and the response was sent or the client disconnected.
 */
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
  const { requestId, operation = 'unknown', actor, error, limit, reason }: RequestState = ctx.state as RequestState;
  const { method, path } = ctx;
  const aborted = !ctx.res.writableFinished;
  const status = aborted ? null : ctx.status;
  metrics.request({ operation, method, status, seconds: ms / 1000, limit });

  const failed = error !== undefined || (status !== null && status >= 500 && !isQuiet(operation));
  const level = failed ? 'error' : reason !== undefined ? 'warn' : isQuiet(operation) ? 'debug' : 'info';
  if (!log.isLevelEnabled(level)) return;
  const fields = {
    requestId,
    method,
    // Omits the query string, in which clients may send secrets that belong in headers. Tokens in the path are
    // redacted.
    path: path.slice(0, maximumPathLength),
    operation,
    status,
    ms: Math.round(ms * 10) / 10,
    ...(actor && { organizationId: actor.organizationId, userId: actor.userId }),
    ...(actor?.apiKeyId && { apiKeyId: actor.apiKeyId }),
    ...(aborted && { aborted }),
  };
  const isKnown = error === undefined && reason === undefined;
  const entry = isKnown ? knownFields(fields) : { ...fields, err: error, ...(reason !== undefined && { reason }) };
  log[level](entry, failed ? 'request failed' : aborted ? 'request aborted' : 'request');
}
