import { effectOf, isStream, type Endpoint } from '@runward/contract';
import type { oas31 } from 'zod-openapi';
import { acceptsIfMatch } from '../preconditions.ts';

const wholeNumber = { type: 'integer', minimum: 0 } as const;
const text = { type: 'string' } as const;

/** The headers of responses, by the name of their component. */
export const headers = {
  'x-request-id': {
    description: 'Id of the request, also in the log of the service. Name it in a report of an error.',
    required: true,
    schema: { type: 'string', format: 'uuid' },
  },
  'X-RateLimit-Limit': { description: 'Requests of this kind per minute.', schema: wholeNumber },
  'X-RateLimit-Remaining': { description: 'Requests that are left in the current minute.', schema: wholeNumber },
  'X-RateLimit-Reset': { description: 'When the next minute begins, in seconds since 1970.', schema: wholeNumber },
  'Retry-After': { description: 'Seconds to wait, as `retryAfter` in the body.', required: true, schema: wholeNumber },
  'WWW-Authenticate': { description: 'The challenge of RFC 6750.', required: true, schema: text },
  'Idempotency-Replayed': {
    description: '`true` if this is the stored response to an earlier request with the same `Idempotency-Key`.',
    schema: { type: 'string', const: 'true' },
  },
  ETag: {
    description:
      'The `version` of the body in quotes, or the tag of a file; see `If-None-Match`, `If-Match` and `If-Range`.',
    required: true,
    schema: text,
  },
  Age: {
    description:
      'How many seconds old the data is at most, if it was read from a replica that may lag; see `Cache-Control`. Absent if it is current.',
    schema: wholeNumber,
  },
  'Content-Disposition': { description: 'The name of the file, as an attachment.', required: true, schema: text },
} as const satisfies Record<string, oas31.HeaderObject>;

/** A header of a response. */
export type HeaderName = keyof typeof headers;

/** The headers that a request may have, besides those for authentication, by the name of their component. */
export const headerParameters = {
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    description:
      'A value that the client chooses for this write, such as a UUID. For 24 hours a request with the same key returns the stored ' +
      'response instead of writing again; another request with the same key returns 400.',
    schema: { type: 'string', minLength: 1, maxLength: 255 },
  },
  IfMatch: {
    name: 'If-Match',
    in: 'header',
    description: 'An `ETag`. Returns 412 if the record has changed since. Default: `*`, any version.',
    schema: text,
  },
  IfNoneMatch: {
    name: 'If-None-Match',
    in: 'header',
    description: 'An `ETag`. Returns 304 without a body if the record has not changed since.',
    schema: text,
  },
  MaxStale: {
    name: 'Cache-Control',
    in: 'header',
    description:
      '`max-stale=5` accepts data that is up to 5 seconds old, which a replica of the database may return; `Age` says how old it is. ' +
      'A longer time counts as 5 seconds. Default: current data.',
    schema: text,
  },
  Range: {
    name: 'Range',
    in: 'header',
    description:
      'One range of bytes, like `bytes=0-1023`: returns 206 with this part of the file. `If-Range` is supported.',
    schema: text,
  },
} as const satisfies Record<string, oas31.ParameterObject>;

/** References to the header parameters of an endpoint. */
export function headerParametersOf(endpoint: Endpoint): oas31.ReferenceObject[] {
  const { access, versioned, method, response } = endpoint;
  const servesRanges = isStream(response) && response.ranges === true;
  const names: [boolean, keyof typeof headerParameters][] = [
    [effectOf(endpoint) === 'write' && access !== 'public', 'IdempotencyKey'],
    [acceptsIfMatch(endpoint), 'IfMatch'],
    [(versioned === true && method === 'GET') || servesRanges, 'IfNoneMatch'],
    [servesRanges, 'Range'],
    [endpoint.reads === 'replica-on-request', 'MaxStale'],
  ];
  return names.flatMap(([applies, name]) => (applies ? [{ $ref: `#/components/parameters/${name}` }] : []));
}

/** References to headers of responses. */
export function referencesTo(names: readonly HeaderName[]): Record<string, oas31.ReferenceObject> {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

/** The headers of every response. */
export const commonHeaders: readonly HeaderName[] = [
  'x-request-id',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
];

/** The headers of an endpoint's successful response. */
export function successHeaders(endpoint: Endpoint): HeaderName[] {
  const { access, response, versioned } = endpoint;
  const names: [boolean, HeaderName][] = [
    [effectOf(endpoint) === 'write' && access !== 'public', 'Idempotency-Replayed'],
    [(versioned === true && response !== undefined) || (isStream(response) && response.ranges === true), 'ETag'],
    [isStream(response), 'Content-Disposition'],
    [endpoint.reads === 'replica-on-request', 'Age'],
  ];
  return [...commonHeaders, ...names.flatMap(([applies, name]) => (applies ? [name] : []))];
}

/**
 * The headers of a deprecated endpoint, which its errors have, too. They are no components, because most documents have
 * none.
 */
export function describedDeprecation({ deprecated }: Endpoint): Record<string, oas31.HeaderObject> {
  if (deprecated === undefined) return {};
  return {
    Deprecation: { description: 'Since when the endpoint is deprecated (RFC 9745).', required: true, schema: text },
    ...(deprecated.sunset && {
      Sunset: { description: 'From when on it may be gone (RFC 8594).', required: true, schema: text },
    }),
    Link: { description: 'A page about deprecation, as `rel="deprecation"`.', required: true, schema: text },
  };
}
