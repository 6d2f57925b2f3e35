import { effectOf, isStream, type Endpoint, type ErrorCode } from '@runward/contract';
import { acceptsIfMatch } from './preconditions.ts';

/** The scopes of endpoints to which resource modes do not apply. */
const unrestricted: ReadonlySet<string> = new Set(['data-sources:read', 'data-sources:write', 'users:read']);

/** The codes of the errors of an endpoint: those that follow from its properties, and those that it names. */
export function codesOf(endpoint: Endpoint): ReadonlySet<ErrorCode> {
  const { method, path, query, body, access, guests, requires, errors = [] } = endpoint;
  const isPublic = access === 'public';
  const isForSessions = access === 'session' || access === 'administrator';
  const isForEveryone = isPublic || access === 'authenticated';
  const isScoped = !isForEveryone && !isForSessions;
  const takesInput = path.includes(':') || query !== undefined || body !== undefined;
  const isAuthenticatedWrite = !isPublic && effectOf(endpoint) === 'write';
  const derived: [boolean, readonly ErrorCode[]][] = [
    [!isPublic || takesInput, ['validation_failed', 'malformed_request', 'too_many_at_a_time']],
    [!isPublic, ['authentication_required', 'invalid_api_key', 'session_expired', 'rate_limited']],
    [isForSessions, ['session_required']],
    [requires !== undefined || (!isPublic && !isForSessions), ['FEATURE_LOCKED']],
    [isScoped, ['insufficient_scope']],
    [isScoped || access === 'administrator', ['insufficient_role']],
    [isScoped && !unrestricted.has(access), ['out_of_resource_scope']],
    [!isForEveryone && guests !== true, ['form_link_only']],
    [!isPublic && method !== 'GET', ['cross_origin', 'invalid_csrf_token']],
    [path.includes(':'), ['not_found']],
    [acceptsIfMatch(endpoint), ['precondition_failed']],
    // A body is also received where none is accepted.
    [method !== 'GET', ['payload_too_large']],
    [servesRanges(endpoint), ['range_not_satisfiable']],
    [isAuthenticatedWrite, ['idempotency_key_reused', 'request_in_progress']],
    [true, ['headers_too_large', 'internal_error', 'unavailable', 'timed_out']],
    [!isPublic || effectOf(endpoint) === 'write', ['storage_full', 'organization_moved', 'organization_moving']],
  ];
  return new Set([...derived.flatMap(([applies, codes]) => (applies ? codes : [])), ...errors]);
}

/** Whether an endpoint sends parts of a file. */
export function servesRanges({ response }: Endpoint): boolean {
  return isStream(response) && response.ranges === true;
}
