import { property } from './property.ts';

/**
 * Marks this package's errors in every copy of it, so that the guards (`isNotFound` and the like) also know errors of
 * another installed copy, where `instanceof` fails.
 */
export const brand = Symbol.for('@runward/sdk/error');

/** Base of everything this package throws: a wrong option or argument when it is no more special class. */
export class RunwardError extends Error {
  override readonly name: string = 'RunwardError';

  // On the prototype, so that printed errors do not show it.
  get [brand](): true {
    return true;
  }
}

/** What an answer with a status other than 2xx said. */
export interface ApiErrorDetails {
  readonly statusCode: number;
  /** The reason phrase, like `Not Found`. */
  readonly error: string;
  /** One string for each problem; at least one. */
  readonly messages: readonly string[];
  /** The path that was asked for. */
  readonly path: string;
  /** When the server answered, ISO 8601; null when it did not say (a proxy in between). */
  readonly timestamp: string | null;
  /** `x-request-id` of the answer: quote it when asking the operator of the server. */
  readonly requestId: string | null;
  readonly headers: Headers;
  /** The parsed body; of a body that is no JSON the beginning of its text. */
  readonly body: unknown;
  /** Seconds the server asks to wait before the next try, null when it does not ask. */
  readonly retryAfterSeconds: number | null;
}

/** The server answered with an error; statuses without a class of their own (for example 413) are just this. */
export class ApiError extends RunwardError implements ApiErrorDetails {
  override readonly name: string = 'ApiError';
  readonly statusCode: number;
  readonly error: string;
  readonly messages: readonly string[];
  readonly path: string;
  readonly timestamp: string | null;
  readonly requestId: string | null;
  readonly headers: Headers;
  readonly body: unknown;
  readonly retryAfterSeconds: number | null;

  constructor(details: ApiErrorDetails) {
    const request = details.requestId === null ? '' : ` (request ${details.requestId})`;
    super(`${details.statusCode} ${details.error}: ${details.messages.join('; ')}${request}`);
    this.statusCode = details.statusCode;
    this.error = details.error;
    this.messages = details.messages;
    this.path = details.path;
    this.timestamp = details.timestamp;
    this.requestId = details.requestId;
    this.headers = details.headers;
    this.body = details.body;
    this.retryAfterSeconds = details.retryAfterSeconds;
  }
}

/** 400: the input is invalid (one message for each problem), or a rule of the process forbids it now. */
export class ValidationError extends ApiError {
  override readonly name = 'ValidationError';
}

/** 401: the key is missing, malformed, expired or revoked, or the endpoint takes browser sessions only. */
export class AuthenticationError extends ApiError {
  override readonly name = 'AuthenticationError';
}

/** 402: the plan of the organization lacks a feature. */
export class FeatureLockedError extends ApiError {
  override readonly name = 'FeatureLockedError';
  /** The capability the plan lacks, null when the answer did not name it. */
  readonly capability: string | null;

  constructor(details: ApiErrorDetails) {
    super(details);
    const capability = property(details.body, 'capability');
    this.capability = typeof capability === 'string' ? capability : null;
  }
}

/** 403: the key lacks a scope, or its resource mode does not reach the template. */
export class PermissionError extends ApiError {
  override readonly name = 'PermissionError';
  /** The scope the key lacks, like `runs:write`; null when the reason is another. */
  readonly missingScope: string | null;

  constructor(details: ApiErrorDetails) {
    super(details);
    this.missingScope = /lacks the scope ([a-z-]+:[a-z-]+)/.exec(details.messages.join('\n'))?.[1] ?? null;
  }
}

/** 404: the record does not exist, was deleted, or belongs to another organization. */
export class NotFoundError extends ApiError {
  override readonly name = 'NotFoundError';
}

/** 429: too many requests in this minute, and the retries did not help or the wait would be too long. See `retryAfterSeconds`. */
export class RateLimitError extends ApiError {
  override readonly name = 'RateLimitError';
}

/** 500 and above: the server, or a proxy before it, failed. */
export class ServerError extends ApiError {
  override readonly name = 'ServerError';
}

/** No usable answer: the server was not reached, the connection broke, or the answer ended early. */
export class ConnectionError extends RunwardError {
  override readonly name = 'ConnectionError';
}

/** An attempt, its body included, took longer than `timeoutMs`. */
export class TimeoutError extends RunwardError {
  override readonly name = 'TimeoutError';
}

/** The caller's `signal` was aborted; `cause` is its reason. */
export class AbortError extends RunwardError {
  override readonly name = 'AbortError';
}
