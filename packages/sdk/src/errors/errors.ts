import type { ErrorCode } from '../generated/error-codes.ts';
import { property } from '../property.ts';

/**
 * Marks the errors of this package. The guards (`isNotFound` and so on) need it for errors of other installed copies of
 * the package, for which `instanceof` fails.
 */
export const brand = Symbol.for('@runward/sdk/error');

/** Base class of all errors of this package. Thrown directly for an invalid option or argument. */
export class RunwardError extends Error {
  override readonly name: string = 'RunwardError';

  // Defined on the prototype, so that printed errors do not show it.
  get [brand](): true {
    return true;
  }
}

/** Details of an error response (any status other than 2xx). */
export interface ApiErrorDetails {
  readonly statusCode: number;
  /** The reason phrase, like `Not Found`. */
  readonly error: string;
  /**
   * What went wrong, for programs, like `run_terminal`. A newer server may send codes that this version does not list.
   * Null if the body does not contain one, for example because a proxy sent it.
   */
  readonly code: ErrorCode | (string & {}) | null;
  /** One message per error; at least one. */
  readonly messages: readonly string[];
  /** The HTTP method of the request. */
  readonly method: string;
  /** The requested path. */
  readonly path: string;
  /** Time of the response in ISO 8601. Null if the body does not contain it, for example because a proxy sent it. */
  readonly timestamp: string | null;
  /** The `x-request-id` header. The operator of the server can find the request by it. */
  readonly requestId: string | null;
  readonly headers: Headers;
  /** The parsed body. If it is not JSON, the beginning of its text. */
  readonly body: unknown;
  /** Seconds to wait before the next attempt; null if the server does not say. */
  readonly retryAfterSeconds: number | null;
}

/** An error response. Statuses without their own class, such as 413, are plain ApiErrors. */
export class ApiError extends RunwardError implements ApiErrorDetails {
  override readonly name: string = 'ApiError';
  readonly statusCode: number;
  readonly error: string;
  readonly code: ErrorCode | (string & {}) | null;
  readonly messages: readonly string[];
  readonly method: string;
  readonly path: string;
  readonly timestamp: string | null;
  readonly requestId: string | null;
  readonly headers: Headers;
  readonly body: unknown;
  readonly retryAfterSeconds: number | null;

  constructor(details: ApiErrorDetails) {
    const { method, path, statusCode, error, messages, requestId } = details;
    const request = requestId === null ? '' : ` (request ${requestId})`;
    super(`${method} ${path}: ${statusCode} ${error}: ${messages.join('; ')}${request}`);
    this.statusCode = statusCode;
    this.error = error;
    this.code = details.code;
    this.messages = messages;
    this.method = method;
    this.path = path;
    this.timestamp = details.timestamp;
    this.requestId = requestId;
    this.headers = details.headers;
    this.body = details.body;
    this.retryAfterSeconds = details.retryAfterSeconds;
  }
}

/** 400: the input is invalid (one message per error), or a rule of the process forbids the request. */
export class ValidationError extends ApiError {
  override readonly name = 'ValidationError';
}

/** 401: the API key is missing, malformed, expired or revoked, or the endpoint requires a browser session. */
export class AuthenticationError extends ApiError {
  override readonly name = 'AuthenticationError';
}

/** 402: the plan of the organization lacks a feature. */
export class FeatureLockedError extends ApiError {
  override readonly name = 'FeatureLockedError';
  /** The capability the plan lacks; null if the response does not name it. */
  readonly capability: string | null;

  constructor(details: ApiErrorDetails) {
    super(details);
    const capability = property(details.body, 'capability');
    this.capability = typeof capability === 'string' ? capability : null;
  }
}

/** 403: the API key lacks a scope, or the template is outside its resource scope. */
export class PermissionError extends ApiError {
  override readonly name = 'PermissionError';
  /** The missing scope, like `runs:write`; null if a scope is not the reason. */
  readonly missingScope: string | null;

  constructor(details: ApiErrorDetails) {
    super(details);
    this.missingScope = /lacks the scope ([a-z-]+:[a-z-]+)/.exec(details.messages.join('\n'))?.[1] ?? null;
  }
}

/** 404: the record does not exist in the organization, or was deleted. */
export class NotFoundError extends ApiError {
  override readonly name = 'NotFoundError';
}

/** 412: the record no longer has the version in `ifMatch`. Nothing was written. */
export class PreconditionFailedError extends ApiError {
  override readonly name = 'PreconditionFailedError';
}

/**
 * 429: the rate limit was exceeded. The retries were used up, or the wait would have been too long. See
 * `retryAfterSeconds`.
 */
export class RateLimitError extends ApiError {
  override readonly name = 'RateLimitError';
}

/** 500 and above: the server or a proxy failed. */
export class ServerError extends ApiError {
  override readonly name = 'ServerError';
}

/**
 * The server could not be reached, the connection broke, or the response is truncated or does not come from the API.
 */
export class ConnectionError extends RunwardError {
  override readonly name = 'ConnectionError';
}

/** An attempt exceeded `timeoutMs`. */
export class TimeoutError extends RunwardError {
  override readonly name = 'TimeoutError';
}

/** The `signal` of the caller aborted; `cause` is its reason. */
export class AbortError extends RunwardError {
  override readonly name = 'AbortError';
}
