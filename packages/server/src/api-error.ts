import { errorNames, type ErrorBody, type ErrorStatus } from '@runward/contract';

/**
 * An error for the caller: a status, messages that say what is wrong and what to do, and extra properties of the body.
 */
export class ApiError extends Error {
  override name = 'ApiError';
  readonly status: ErrorStatus;
  readonly messages: string | string[];
  readonly extra: Partial<Pick<ErrorBody, 'code' | 'capability' | 'retryAfter'>>;

  constructor(status: ErrorStatus, messages: string | string[], extra: ApiError['extra'] = {}, options?: ErrorOptions) {
    super(`${errorNames[status]}: ${[messages].flat().join(' ')}`, options);
    this.status = status;
    this.messages = messages;
    this.extra = extra;
  }
}

/**
 * 400: invalid input or a violated business rule. A list has a string per invalid field, which begins with its path.
 */
export function badRequest(messages: string | string[]): ApiError {
  return new ApiError(400, messages);
}

/** 401: the caller is not authenticated, or not in the way that this endpoint requires. */
export function unauthorized(message: string): ApiError {
  return new ApiError(401, message);
}

/** 402: the organization's plan lacks a capability. */
export function featureLocked(capability: string, message: string): ApiError {
  return new ApiError(402, message, { code: 'FEATURE_LOCKED', capability });
}

/** 403: the key lacks a scope, or the template is outside its resource scope. */
export function forbidden(message: string): ApiError {
  return new ApiError(403, message);
}

/**
 * 404: no such record in this organization. The response is the same whether it never existed, was deleted, or belongs
 * to another organization.
 */
export function notFound(kind: string): ApiError {
  return new ApiError(404, `${kind} not found.`);
}

/** 404: the record exists, but the requested part of it does not. */
export function notFoundBecause(message: string): ApiError {
  return new ApiError(404, message);
}

/** 405: the path exists with other methods, which the header `Allow` names. */
export function methodNotAllowed(method: string): ApiError {
  return new ApiError(405, `This path does not accept ${method}; the header Allow names the methods it accepts.`);
}

/** 412: the record is not at the version that the header `If-Match` requires. */
export function preconditionFailed(message: string): ApiError {
  return new ApiError(412, message);
}

/** 413: the body is larger than the endpoint accepts. */
export function payloadTooLarge(limit: string): ApiError {
  return new ApiError(413, `The request body exceeds ${limit}; send less in one request.`);
}

/** 429: the caller exceeded a limit; `retryAfter` in seconds. */
export function tooManyRequests(message: string, retryAfter: number): ApiError {
  return new ApiError(429, message, { retryAfter });
}

/**
 * 503: the service cannot do this at the moment, without being defective. `retryAfter` in seconds; `cause` for the log.
 */
export function unavailable(
  message: string,
  { retryAfter = 2, cause }: { retryAfter?: number; cause?: unknown } = {},
): ApiError {
  return new ApiError(503, message, { retryAfter }, { cause });
}

/** 507: a disk of the service or its database is full. Not a 503, which clients repeat: space is rarely freed soon. */
export function noSpaceLeft(cause?: unknown): ApiError {
  return new ApiError(
    507,
    'The service has no disk space left; nothing was changed. Its operator has to free some.',
    {},
    { cause },
  );
}

/** Returns the record. Throws a 404 that names its kind if there is no record. */
export function found<Value>(value: Value | null | undefined, kind: string): Value {
  if (value === null || value === undefined) throw notFound(kind);
  return value;
}
