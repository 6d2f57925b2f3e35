import { errorNames, type ErrorBody } from '@runward/contract';
import type { Context, Next } from 'koa';
import { ApiError, badRequest, internalError, noEndpoint, noSpaceLeft } from '../api-error.ts';
import { codeOf, isOutOfSpace, isUnstorable } from '../database/errors.ts';
import { withoutApiKeys, withoutSecrets } from '../telemetry/log.ts';

/** The message of a 400 for a value that PostgreSQL rejected. */
export const unstorableMessage = 'A value in the request cannot be stored; check its length, range and characters.';

/** Renders every error as the error body. */
export async function renderErrors(ctx: Context, next: Next): Promise<void> {
  try {
    await next();
    // Applies to the applications without the API, and to paths outside it.
    if (ctx.status === 404 && ctx.body == null) throw noEndpoint();
  } catch (error) {
    const failure = failureOf(ctx, error);
    const { status } = failure;
    ctx.status = status;
    ctx.body = errorBody(failure, ctx.path);
    if (status === 401) ctx.set('WWW-Authenticate', challengeOf(ctx));
  }
}

/**
 * The error that a client gets. The cause of a 5xx is stored in `ctx.state` for the log. So is the error of a value
 * that PostgreSQL rejected, because the schema should have rejected the value.
 */
export function failureOf(ctx: Context, error: unknown): ApiError {
  const failure = asApiError(error);
  const { status, extra } = failure;
  const cause = status === 500 ? error : failure.cause;
  if (cause !== undefined) ctx.state['error'] = cause;
  if (isUnstorable(error)) ctx.state['error'] = defectOf(error);
  if (status === 429) ctx.state['limit'] = failure.code;
  if (extra.retryAfter !== undefined) ctx.set('Retry-After', String(extra.retryAfter));
  return failure;
}

/** The challenge of a 401 (RFC 6750). It mentions an invalid token only if the request has one. */
function challengeOf(ctx: Context): string {
  const sentToken = /^Bearer +\S/i.test(ctx.get('authorization'));
  return sentToken ? 'Bearer realm="Runward", error="invalid_token"' : 'Bearer realm="Runward"';
}

/**
 * The body of an error response (spec: Error body). Secrets are redacted, except for tokens in the path: it is the path
 * that the client has sent. API keys do not belong there.
 */
export function errorBody(
  { status, code, messages, extra }: Pick<ApiError, 'status' | 'code' | 'messages' | 'extra'>,
  path: string,
): ErrorBody {
  return {
    statusCode: status,
    error: errorNames[status],
    message: typeof messages === 'string' ? withoutSecrets(messages) : messages.map(withoutSecrets),
    timestamp: new Date().toISOString(),
    path: withoutApiKeys(path),
    code,
    ...extra,
  };
}

function asApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  // Koa itself rejects some requests, such as a path with invalid percent encoding.
  if (error instanceof URIError || statusOf(error) === 400)
    return badRequest('malformed_request', 'The request is malformed; check the encoding of its URL.');
  if (isUnstorable(error)) return badRequest('validation_failed', unstorableMessage);
  if (isOutOfSpace(error)) return noSpaceLeft(error);
  return internalError();
}

function defectOf(error: unknown): Error {
  const message = `PostgreSQL rejected a value that passed validation (SQLSTATE ${codeOf(error)}); restrict its schema.`;
  return new Error(message, { cause: error });
}

function statusOf(error: unknown): unknown {
  return typeof error === 'object' && error !== null && 'status' in error ? error.status : undefined;
}
