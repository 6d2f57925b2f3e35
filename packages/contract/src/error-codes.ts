import { z } from 'zod';
import type { ErrorStatus } from './errors.ts';
import { ruleErrors, type ErrorMeaning } from './rule-errors.ts';

/**
 * Every error code. Programs decide by codes, so a code is never renamed or given another meaning or status. Codes
 * differ if a program would react differently; `message` says the rest.
 */
export const errorCodes = {
  validation_failed: {
    status: 400,
    cause: 'A part of the request is invalid, or names a record that does not exist.',
    remedy: 'Change what `message` names.',
  },
  malformed_request: {
    status: 400,
    cause: 'The request is not valid HTTP, its URL is not encoded correctly, or a form is not one of this service.',
    remedy: 'Correct how the client encodes its requests.',
  },
  idempotency_key_reused: {
    status: 400,
    cause: 'The idempotency key was used for a different request, or to complete another entry.',
    remedy: 'Send a new key.',
  },
  ...ruleErrors,
  authentication_required: {
    status: 401,
    cause: 'The request has no credentials.',
    remedy: 'Send an API key, or sign in.',
  },
  invalid_api_key: {
    status: 401,
    cause: 'The API key is malformed, unknown, revoked or expired.',
    remedy: 'Use a valid key.',
  },
  session_expired: { status: 401, cause: 'The session has ended.', remedy: 'Sign in again.' },
  session_required: {
    status: 401,
    cause: 'The endpoint does not accept API keys.',
    remedy: 'Use a browser session.',
  },
  invalid_credentials: {
    status: 401,
    cause: 'The email address or the password is wrong.',
    remedy: 'Send the right ones.',
  },
  FEATURE_LOCKED: {
    status: 402,
    cause: 'The plan of the organization lacks the feature in `capability`.',
    remedy: 'Change the plan.',
  },
  insufficient_scope: {
    status: 403,
    cause: 'The API key lacks the scope that `message` names.',
    remedy: 'Use a key that has it.',
  },
  insufficient_role: {
    status: 403,
    cause: 'The role of the member does not allow the request.',
    remedy: 'Ask an owner or admin of the organization.',
  },
  out_of_resource_scope: {
    status: 403,
    cause: 'The resource mode of the API key or the member does not include the record.',
    remedy: 'Use a key that includes it, or extend the resource mode.',
  },
  form_link_only: {
    status: 403,
    cause: 'The session was begun by a form link, which opens one form only.',
    remedy: 'Sign in.',
  },
  invalid_csrf_token: {
    status: 403,
    cause: 'The CSRF token of the session is missing or wrong.',
    remedy: 'Send the value of the cookie `flow_csrf` in the header `x-service-csrf`.',
  },
  cross_origin: {
    status: 403,
    cause: 'A page of another origin sent the request.',
    remedy: 'Send it from a page of this service, or from outside of a browser with an API key.',
  },
  not_an_approver: {
    status: 403,
    cause: 'The caller is not an approver of the task.',
    remedy: 'Ask one of its approvers.',
  },
  own_work: {
    status: 403,
    cause: 'The caller filled in the form that is to be approved.',
    remedy: 'Have somebody else decide.',
  },
  not_own_record: {
    status: 403,
    cause: 'The comment or the view belongs to another member.',
    remedy: 'Ask this member, or an owner or admin.',
  },
  passwords_disabled: {
    status: 403,
    cause: 'Passwords are switched off for this service.',
    remedy: 'Sign in with an identity provider.',
  },
  recent_sign_in_required: {
    status: 403,
    cause: 'The session began too long ago for this change.',
    remedy: 'Sign in again, then repeat the request.',
  },
  sign_in_rejected: {
    status: 403,
    cause: 'The account at the identity provider cannot sign in to this organization.',
    remedy: 'Ask an administrator of the organization.',
  },
  not_found: {
    status: 404,
    cause: 'The record does not exist, was deleted, or belongs to another organization.',
    remedy: 'Use the id of an existing record.',
  },
  no_thumbnail: {
    status: 404,
    cause: 'The file has no thumbnail, or not yet.',
    remedy: 'Show the file without one, or retry in a moment.',
  },
  endpoint_not_found: {
    status: 404,
    cause: 'No endpoint has this path.',
    remedy: 'Correct the path; `/openapi.json` lists all.',
  },
  method_not_allowed: {
    status: 405,
    cause: 'The path exists with other methods.',
    remedy: 'Use a method that the header `Allow` names.',
  },
  precondition_failed: {
    status: 412,
    cause: 'The record has changed since the version in `If-Match`.',
    remedy: 'Read it again, and repeat the request with its new `ETag`.',
  },
  payload_too_large: {
    status: 413,
    cause: 'The body is larger than the endpoint accepts.',
    remedy: 'Send less in one request.',
  },
  range_not_satisfiable: {
    status: 416,
    cause: 'The file has no byte in the range.',
    remedy: 'Request a part within the size in `Content-Range`.',
  },
  organization_moved: {
    status: 421,
    cause: 'The organization has moved, and this address does not serve it any more.',
    remedy: 'Send requests to its new address, which its operator knows.',
  },
  rate_limited: {
    status: 429,
    cause: 'The caller has sent more requests in this minute than it may.',
    remedy: 'Wait for the seconds in `retryAfter`.',
  },
  too_many_at_a_time: {
    status: 429,
    cause: 'Too many requests of the organization are in work at a time.',
    remedy: 'Send fewer at a time, and retry after the seconds in `retryAfter`.',
  },
  too_many_attempts: {
    status: 429,
    cause: 'Too many sign-ins or tokens were wrong, or too many new passwords were requested.',
    remedy: 'Wait for the seconds in `retryAfter`.',
  },
  request_in_progress: {
    status: 429,
    cause: 'The first request with this idempotency key is still in progress.',
    remedy: 'Repeat the request after the seconds in `retryAfter`.',
  },
  headers_too_large: { status: 431, cause: 'The headers are larger than 16 KB.', remedy: 'Shorten the headers.' },
  internal_error: {
    status: 500,
    cause: 'The service failed.',
    remedy: 'Retry later; `x-request-id` identifies the request in its log.',
  },
  pdf_failed: {
    status: 500,
    cause: 'The PDF could not be made within its limits of time and memory, or its package is not installed.',
    remedy: 'Export CSV instead.',
  },
  unavailable: {
    status: 503,
    cause: 'The service or its database is not available, or others are writing to the record.',
    remedy: 'Retry after the seconds in `retryAfter`; `message` says whether a write may have taken effect.',
  },
  timed_out: {
    status: 503,
    cause: 'The database did not respond in time.',
    remedy: 'Retry after the seconds in `retryAfter`; `message` says whether a write may have taken effect.',
  },
  organization_moving: {
    status: 503,
    cause: 'The organization is being moved, which stops its writes for some seconds. Nothing was changed.',
    remedy: 'Retry after the seconds in `retryAfter`.',
  },
  storage_full: {
    status: 507,
    cause: 'A disk of the service or its database is full. Nothing was changed.',
    remedy: 'Ask its operator to free space.',
  },
} as const satisfies Record<string, ErrorMeaning>;

/** The code of an error. */
export type ErrorCode = keyof typeof errorCodes;

/** The codes with this status. */
export type ErrorCodeOf<Status extends ErrorStatus> = {
  [Code in ErrorCode]: (typeof errorCodes)[Code]['status'] extends Status ? Code : never;
}[ErrorCode];

/** A code in an error body. */
export const errorCode = z.enum(Object.keys(errorCodes) as [ErrorCode, ...ErrorCode[]]).meta({
  id: 'ErrorCode',
  description:
    'What went wrong, for programs; see the guide about errors. Codes keep their meaning; new ones may be added.',
});
