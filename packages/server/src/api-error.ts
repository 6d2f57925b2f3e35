import {
  errorCodes,
  errorNames,
  type ErrorBody,
  type ErrorCode,
  type ErrorCodeOf,
  type ErrorStatus,
} from '@runward/contract';

/**
 * An error for the caller: a code, which determines the status, messages that say what is wrong and what to do, and
 * extra properties of the body.
 */
export class ApiError extends Error {
  override name = 'ApiError';
  readonly code: ErrorCode;
  readonly status: ErrorStatus;
  readonly messages: string | readonly string[];
  readonly extra: Partial<Pick<ErrorBody, 'capability' | 'retryAfter'>>;

  constructor(
    code: ErrorCode,
    messages: string | readonly string[],
    extra: ApiError['extra'] = {},
    options?: ErrorOptions,
  ) {
    const { status } = errorCodes[code];
    super(`${errorNames[status]}: ${[messages].flat().join(' ')}`, options);
    this.code = code;
    this.status = status;
    this.messages = messages;
    this.extra = extra;
  }
}

/** 400: invalid input, with a string per problem, which begins with the path of the field. */
export function badRequest(problems: readonly string[]): ApiError;
/** 400: a violated business rule, or a special problem of the input. */
export function badRequest(code: ErrorCodeOf<400>, messages: string | readonly string[]): ApiError;
/** 400: see the other signatures. */
export function badRequest(...given: [readonly string[]] | [ErrorCodeOf<400>, string | readonly string[]]): ApiError {
  return given.length === 1 ? new ApiError('validation_failed', given[0]) : new ApiError(...given);
}

/** 401: the caller is not authenticated, or not in the way that this endpoint requires. */
export function unauthorized(code: ErrorCodeOf<401>, message: string): ApiError {
  return new ApiError(code, message);
}

/** 402: the organization's plan lacks a capability. */
export function featureLocked(capability: string, message: string): ApiError {
  return new ApiError('FEATURE_LOCKED', message, { capability });
}

/** 403: the caller may not do this, such as a key that lacks the scope. */
export function forbidden(code: ErrorCodeOf<403>, message: string): ApiError {
  return new ApiError(code, message);
}

/**
 * 404: no such record in this organization. The response is the same whether it never existed, was deleted, or belongs
 * to another organization.
 */
export function notFound(kind: string): ApiError {
  return new ApiError('not_found', `${kind} not found.`);
}

/** 404: this service has nothing at the path. */
export function noEndpoint(): ApiError {
  return new ApiError('endpoint_not_found', 'Endpoint not found.');
}

/** 405: the path exists with other methods, which the header `Allow` names. */
export function methodNotAllowed(method: string): ApiError {
  return new ApiError(
    'method_not_allowed',
    `This path does not accept ${method}; the header Allow names the methods it accepts.`,
  );
}

/** 412: the record is not at the version that the header `If-Match` requires. */
export function preconditionFailed(message: string): ApiError {
  return new ApiError('precondition_failed', message);
}

/** 413: the body is larger than the endpoint accepts. */
export function payloadTooLarge(limit: string): ApiError {
  return new ApiError('payload_too_large', `The request body exceeds ${limit}; send less in one request.`);
}

/** 416: the file has no byte in the requested range. */
export function rangeNotSatisfiable(size: number): ApiError {
  return new ApiError('range_not_satisfiable', `Range: the file has ${size} bytes; request some of them.`);
}

/** 421: another cell serves the organization. */
export function organizationMoved(): ApiError {
  return new ApiError(
    'organization_moved',
    'The organization has moved, and this address does not serve it any more; send requests to its new address.',
  );
}

/** 429: the caller exceeded a limit; `retryAfter` in seconds. */
export function tooManyRequests(code: ErrorCodeOf<429>, message: string, retryAfter: number): ApiError {
  return new ApiError(code, message, { retryAfter });
}

/** 431: the headers are larger than a request may have. */
export function headersTooLarge(): ApiError {
  return new ApiError('headers_too_large', 'The request headers exceed 16 KB; shorten them.');
}

/** 500: the service failed; its log says why. */
export function internalError(): ApiError {
  return new ApiError('internal_error', 'Internal error; retry in a moment.');
}

/**
 * 503: the service cannot do this at the moment, without being defective. `retryAfter` in seconds; `cause` for the log.
 */
export function unavailable(
  message: string,
  {
    code = 'unavailable',
    retryAfter = 2,
    cause,
  }: { code?: ErrorCodeOf<503>; retryAfter?: number; cause?: unknown } = {},
): ApiError {
  return new ApiError(code, message, { retryAfter }, { cause });
}

/** 507: a disk of the service or its database is full. Not a 503, which clients repeat: space is rarely freed soon. */
export function noSpaceLeft(cause?: unknown): ApiError {
  return new ApiError(
    'storage_full',
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
