import { errorCodes, isStream, statusOf, type Endpoint, type ErrorCode, type ErrorStatus } from '@runward/contract';
import type { ZodOpenApiResponseObject, ZodOpenApiResponsesObject } from 'zod-openapi';
import { codesOf, servesRanges } from '../codes-of.ts';
import { errorResponse } from './errors.ts';
import { commonHeaders, describedDeprecation, referencesTo, successHeaders } from './headers.ts';

/** The responses of an endpoint: its success, with an example of its body, and every error that it can return. */
export function responsesOf(endpoint: Endpoint, example: unknown): ZodOpenApiResponsesObject {
  return {
    [statusOf(endpoint)]: success(endpoint, example),
    ...(servesRanges(endpoint) && { 206: partOf(endpoint) }),
    ...(isConditional(endpoint) && { 304: notModified }),
    ...Object.fromEntries(
      [...codesByStatus(endpoint)].map(([status, codes]) => [status, errorResponse(status, codes)]),
    ),
  };
}

/** Every status that an endpoint can return. */
export function statusesOf(endpoint: Endpoint): number[] {
  const partial = servesRanges(endpoint) ? [206] : [];
  return [statusOf(endpoint), ...partial, ...(isConditional(endpoint) ? [304] : []), ...codesByStatus(endpoint).keys()];
}

function isConditional(endpoint: Endpoint): boolean {
  return (endpoint.versioned === true && endpoint.method === 'GET') || servesRanges(endpoint);
}

/** The codes of the errors of an endpoint, by their status in ascending order. */
function codesByStatus(endpoint: Endpoint): Map<ErrorStatus, ErrorCode[]> {
  const byStatus = Map.groupBy(codesOf(endpoint), (code): ErrorStatus => errorCodes[code].status);
  return new Map([...byStatus].toSorted(([one], [other]) => one - other));
}

function partOf(endpoint: Endpoint): ZodOpenApiResponseObject {
  return { ...success(endpoint, undefined), description: 'The requested part of the file.' };
}

function success(endpoint: Endpoint, example: unknown): ZodOpenApiResponseObject {
  const { response } = endpoint;
  const headers = { ...referencesTo(successHeaders(endpoint)), ...describedDeprecation(endpoint) };
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
