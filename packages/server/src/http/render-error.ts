import { errorNames, type ErrorBody, type ErrorStatus } from '@runward/contract';
import type { Context, Next } from 'koa';
import { badRequest, ApiError, notFound } from '../api-error.ts';
import { withoutSecrets } from '../telemetry/log.ts';

/** Turns whatever goes wrong below into the error body; what is not the caller's fault is left in the state, to be logged. */
export async function renderErrors(ctx: Context, next: Next): Promise<void> {
  try {
    await next();
    if (ctx.status === 404 && ctx.body == null) throw notFound('Endpoint');
  } catch (error) {
    const fault = asFault(error);
    if (fault.status === 500) ctx.state['error'] = error;
    ctx.status = fault.status;
    ctx.body = errorBody(fault.status, fault.messages, ctx.path, fault.extra);
    if (fault.extra.retryAfter !== undefined) ctx.set('Retry-After', String(fault.extra.retryAfter));
  }
}

/** The body of an error answer (spec: Error body). API keys in it, which callers put in wrong places, are left out. */
export function errorBody(
  status: ErrorStatus,
  message: string | string[],
  path: string,
  extra: ApiError['extra'] = {},
): ErrorBody {
  return {
    statusCode: status,
    error: errorNames[status],
    message: typeof message === 'string' ? withoutSecrets(message) : message.map(withoutSecrets),
    timestamp: new Date().toISOString(),
    path: withoutSecrets(path),
    ...extra,
  };
}

function asFault(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  // Koa itself refuses some requests, such as a path with broken percent encoding.
  if (error instanceof URIError || statusOf(error) === 400)
    return badRequest('The request is malformed; check the encoding of its URL.');
  return new ApiError(500, 'Internal error; retry in a moment.');
}

function statusOf(error: unknown): unknown {
  return typeof error === 'object' && error !== null && 'status' in error ? error.status : undefined;
}
