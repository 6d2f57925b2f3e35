import { effectOf, isStream, type Endpoint, type ErrorStatus } from '@runward/contract';
import type { ZodOpenApiResponseObject, ZodOpenApiResponsesObject } from 'zod-openapi';
import { acceptsIfMatch } from '../preconditions.ts';
import { errorResponse } from './errors.ts';
import { commonHeaders, referencesTo, successHeaders } from './headers.ts';

/** The responses of an endpoint: its success, with an example of its body, and every error that it can return. */
export function responsesOf(endpoint: Endpoint, example: unknown): ZodOpenApiResponsesObject {
  return {
    [endpoint.status]: success(endpoint, example),
    ...(servesRanges(endpoint) && { 206: partOf(endpoint) }),
    ...(isConditional(endpoint) && { 304: notModified }),
    ...Object.fromEntries(errorsOf(endpoint).map((status) => [status, errorResponse(status)])),
  };
}

/** Every status that an endpoint can return. */
export function statusesOf(endpoint: Endpoint): number[] {
  const partial = servesRanges(endpoint) ? [206] : [];
  return [endpoint.status, ...partial, ...(isConditional(endpoint) ? [304] : []), ...errorsOf(endpoint)];
}

/** The errors of an endpoint: those that follow from its properties, and those that it names. */
function errorsOf(endpoint: Endpoint): ErrorStatus[] {
  const { method, path, query, body, access, requires, errors = [] } = endpoint;
  const isPublic = access === 'public';
  const takesInput = path.includes(':') || query !== undefined || body !== undefined;
  const isForSessions = access === 'session' || access === 'administrator';
  const derived: [boolean, ErrorStatus][] = [
    [!isPublic || takesInput, 400],
    [!isPublic, 401],
    [requires !== undefined || (!isPublic && !isForSessions), 402],
    // Every session may read here; writes can fail for lack of the CSRF token.
    [!isPublic && !((access === 'session' || access === 'authenticated') && method === 'GET'), 403],
    [path.includes(':'), 404],
    [acceptsIfMatch(endpoint), 412],
    [body !== undefined, 413],
    [servesRanges(endpoint), 416],
    [!isPublic, 429],
    [true, 431],
    [true, 500],
    [true, 503],
    [!isPublic || effectOf(endpoint) === 'write', 507],
  ];
  const own = derived.flatMap(([applies, status]) => (applies ? [status] : []));
  return [...new Set([...own, ...errors])].sort((a, b) => a - b);
}

function isConditional(endpoint: Endpoint): boolean {
  return (endpoint.versioned === true && endpoint.method === 'GET') || servesRanges(endpoint);
}

function servesRanges({ response }: Endpoint): boolean {
  return isStream(response) && response.ranges === true;
}

function partOf(endpoint: Endpoint): ZodOpenApiResponseObject {
  return { ...success(endpoint, undefined), description: 'The requested part of the file.' };
}

function success(endpoint: Endpoint, example: unknown): ZodOpenApiResponseObject {
  const { response } = endpoint;
  const headers = referencesTo(successHeaders(endpoint));
  if (!response) return { description: 'The request has taken effect. There is no body.', headers };
  if (!isStream(response)) {
    const description = response.description ?? 'The request has taken effect.';
    return { description, headers, content: { 'application/json': { schema: response, example } } };
  }
  const schema = { type: 'string', format: 'binary' } as const;
  const content = Object.fromEntries(response.contentTypes.map((type) => [type, { schema }]));
  return { description: 'The content of the file.', headers, content };
}

const notModified: ZodOpenApiResponseObject = {
  description: 'The record has not changed since the version in `If-None-Match`. There is no body.',
  headers: referencesTo([...commonHeaders, 'ETag']),
};
