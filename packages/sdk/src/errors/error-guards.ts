import {
  brand,
  type AbortError,
  type ApiError,
  type AuthenticationError,
  type ConnectionError,
  type FeatureLockedError,
  type NotFoundError,
  type PermissionError,
  type PreconditionFailedError,
  type RateLimitError,
  type RunwardError,
  type ServerError,
  type TimeoutError,
  type ValidationError,
} from './errors.ts';

/**
 * Whether this package threw the error. Like all guards here, it also recognizes errors of other installed copies of
 * the package.
 */
export function isRunwardError(error: unknown): error is RunwardError {
  return typeof error === 'object' && error !== null && brand in error && error[brand] === true;
}

/** Whether the server returned an error, of any status. */
export function isApiError(error: unknown): error is ApiError {
  return isRunwardError(error) && 'statusCode' in error;
}

/** Whether the server rejected invalid input, or a rule of the process forbids the request (400). */
export function isValidationError(error: unknown): error is ValidationError {
  return isNamed(error, 'ValidationError');
}

/** Whether the API key was rejected (401). */
export function isAuthenticationError(error: unknown): error is AuthenticationError {
  return isNamed(error, 'AuthenticationError');
}

/** Whether the plan of the organization lacks the feature (402). */
export function isFeatureLocked(error: unknown): error is FeatureLockedError {
  return isNamed(error, 'FeatureLockedError');
}

/** Whether the API key lacks a scope or the resource is outside its resource scope (403). */
export function isPermissionError(error: unknown): error is PermissionError {
  return isNamed(error, 'PermissionError');
}

/** Whether the record does not exist in the organization (404). */
export function isNotFound(error: unknown): error is NotFoundError {
  return isNamed(error, 'NotFoundError');
}

/** Whether the record has changed since the version in `ifMatch` (412). */
export function isPreconditionFailed(error: unknown): error is PreconditionFailedError {
  return isNamed(error, 'PreconditionFailedError');
}

/** Whether the rate limit was exceeded (429). */
export function isRateLimited(error: unknown): error is RateLimitError {
  return isNamed(error, 'RateLimitError');
}

/** Whether the server failed (500 and above). */
export function isServerError(error: unknown): error is ServerError {
  return isNamed(error, 'ServerError');
}

/** Whether the connection failed or the response was unusable. */
export function isConnectionError(error: unknown): error is ConnectionError {
  return isNamed(error, 'ConnectionError');
}

/** Whether an attempt exceeded its timeout. */
export function isTimeout(error: unknown): error is TimeoutError {
  return isNamed(error, 'TimeoutError');
}

/** Whether the caller's signal was aborted. */
export function isAborted(error: unknown): error is AbortError {
  return isNamed(error, 'AbortError');
}

function isNamed(error: unknown, name: string): boolean {
  return isRunwardError(error) && error.name === name;
}
