import { errorBody, errorNames, type ErrorCode, type ErrorStatus } from '@runward/contract';
import type { oas31, ZodOpenApiComponentsObject, ZodOpenApiResponseObject } from 'zod-openapi';
import { errorExample } from './error-examples.ts';
import { commonHeaders, referencesTo, type HeaderName } from './headers.ts';

/** The meaning of each error, the same for all endpoints. */
const descriptions: Readonly<Record<ErrorStatus, string>> = {
  400: 'The input is invalid, or the state of the records does not allow the request. `message` says what to change.',
  401: 'The credentials are missing, invalid, revoked or expired, or the endpoint does not accept an API key.',
  402: 'The plan of the organization does not include the feature in `capability`.',
  403: 'The caller lacks the scope or the role, or the record is outside the resource scope of the API key.',
  404: 'The record does not exist, was deleted, or belongs to another organization.',
  405: 'The path exists with other methods, which the header `Allow` names.',
  412: 'The record has changed since the version in `If-Match`. Nothing was changed.',
  413: 'The body is larger than the endpoint accepts.',
  416: 'The file has no byte in the range. `Content-Range` states its size.',
  421: 'The organization has moved, and this address does not serve it any more.',
  429: 'Too many requests. Retry after the time in `Retry-After`.',
  431: 'The headers are larger than 16 KB. They were not read, so this response has no headers but those of its body.',
  500: 'The service failed. Retry later; `x-request-id` identifies the request in its log.',
  503: 'The service or its database is not available. Retry after the time in `Retry-After`; `message` says whether a write may have taken effect.',
  507: 'A disk of the service or its database is full. Nothing was changed.',
};

/** The properties of an error with this status, besides those that every error has. */
const required: Readonly<Partial<Record<ErrorStatus, readonly string[]>>> = {
  402: ['capability'],
  429: ['retryAfter'],
  503: ['retryAfter'],
};

/** The statuses that an operation can return. A 405 is the response to a request that matches no operation. */
const statuses = (Object.keys(errorNames).map(Number) as ErrorStatus[]).filter((status) => status !== 405);

/** `Not Found` becomes `NotFound`. */
const nameOf = (status: ErrorStatus) => errorNames[status].replaceAll(' ', '');

/** The error bodies: a common one, and one per status that narrows it. */
export const errorSchemas: NonNullable<ZodOpenApiComponentsObject['schemas']> = {
  ErrorBody: errorBody,
  ...Object.fromEntries(
    statuses.map((status) => [
      `${nameOf(status)}Error`,
      {
        description: `The body of a response with status ${status}.`,
        allOf: [{ $ref: '#/components/schemas/ErrorBody' }],
        type: 'object' as const,
        properties: { statusCode: { const: status, description: 'Equals the HTTP status.' } },
        required: ['statusCode', ...(required[status] ?? [])],
      },
    ]),
  ),
};

/** The responses of errors, as components. */
export function errorResponses(used: ReadonlySet<number>): NonNullable<ZodOpenApiComponentsObject['responses']> {
  const own = statuses.filter((status) => used.has(status));
  return Object.fromEntries(own.map((status) => [nameOf(status), responseOf(status)]));
}

/** A reference to the response of an error. Its description names the codes of the operation. */
export function errorResponse(status: ErrorStatus, codes: readonly ErrorCode[]): oas31.ReferenceObject {
  const $ref = `#/components/responses/${nameOf(status)}`;
  const list = codes.map((code) => `\`${code}\``).join(', ');
  return { $ref, description: `${descriptions[status]} Codes: ${list}.` };
}

function responseOf(status: ErrorStatus): ZodOpenApiResponseObject {
  const own: readonly HeaderName[] =
    status === 401 ? ['WWW-Authenticate'] : status === 429 || status === 503 ? ['Retry-After'] : [];
  return {
    description: descriptions[status],
    ...(status !== 431 && { headers: referencesTo([...commonHeaders, ...own]) }),
    content: {
      'application/json': {
        schema: { $ref: `#/components/schemas/${nameOf(status)}Error` },
        example: errorExample(status),
      },
    },
  };
}
