import { errorNames, type ErrorBody, type ErrorStatus } from '@runward/contract';

/** An error a caller is meant to see: a status, a message that tells the remedy, and what else the body or headers carry. */
export class ApiError extends Error {
  override name = 'ApiError';
  readonly status: ErrorStatus;
  readonly messages: string | string[];
  readonly extra: Partial<Pick<ErrorBody, 'code' | 'capability' | 'retryAfter'>>;

  constructor(status: ErrorStatus, messages: string | string[], extra: ApiError['extra'] = {}) {
    super(`${errorNames[status]}: ${[messages].flat().join(' ')}`);
    this.status = status;
    this.messages = messages;
    this.extra = extra;
  }
}

/** 400: the input or a business rule; a list is one string per problem, each beginning with the path of the field. */
export function badRequest(messages: string | string[]): ApiError {
  return new ApiError(400, messages);
}

/** 401: who is calling is not known, or not in the way this endpoint needs. */
export function unauthorized(message: string): ApiError {
  return new ApiError(401, message);
}

/** 402: the organization's plan lacks a capability. */
export function featureLocked(capability: string, message: string): ApiError {
  return new ApiError(402, message, { code: 'FEATURE_LOCKED', capability });
}

/** 403: the key lacks a scope, or its resource mode does not grant the template. */
export function forbidden(message: string): ApiError {
  return new ApiError(403, message);
}

/** 404: no such record in this organization; the answer is the same whether it never was, is gone, or belongs to others. */
export function notFound(kind: string): ApiError {
  return new ApiError(404, `${kind} not found.`);
}

/** 413: the body is larger than the endpoint takes. */
export function payloadTooLarge(limit: string): ApiError {
  return new ApiError(413, `The request body exceeds ${limit}; send less in one request.`);
}

/** 429: the caller has used up what it may do for now; `retryAfter` in seconds. */
export function tooManyRequests(message: string, retryAfter: number): ApiError {
  return new ApiError(429, message, { retryAfter });
}

/** The record, or a 404 naming its kind. */
export function found<Value>(value: Value | null | undefined, kind: string): Value {
  if (value === null || value === undefined) throw notFound(kind);
  return value;
}
