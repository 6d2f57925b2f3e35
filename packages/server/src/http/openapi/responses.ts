import { errorBody, errorNames, isStream, type Endpoint, type ErrorStatus } from '@runward/contract';
import type { ZodOpenApiResponsesObject } from 'zod-openapi';

/** The responses of an endpoint: its success and every error that it can return. */
export function responsesOf(endpoint: Endpoint): ZodOpenApiResponsesObject {
  return {
    [endpoint.status]: { description: endpoint.summary, ...contentOf(endpoint) },
    ...Object.fromEntries(errorsOf(endpoint).map((status) => [status, errorResponse(status)])),
  };
}

function contentOf({ response }: Endpoint) {
  if (!response) return {};
  if (!isStream(response)) return { content: { 'application/json': { schema: response } } };
  const schema = { type: 'string', format: 'binary' } as const;
  return { content: Object.fromEntries(response.contentTypes.map((type) => [type, { schema }])) };
}

function errorsOf({ path, query, body, access }: Endpoint): ErrorStatus[] {
  const isPublic = access === 'public';
  const takesInput = path.includes(':') || query !== undefined || body !== undefined;
  const errors: [boolean, ErrorStatus][] = [
    [!isPublic || takesInput, 400],
    [!isPublic, 401],
    [!isPublic, 402],
    [!isPublic, 403],
    [path.includes(':'), 404],
    [body !== undefined, 413],
    [!isPublic, 429],
    [true, 500],
  ];
  return errors.flatMap(([applies, status]) => (applies ? [status] : []));
}

function errorResponse(status: ErrorStatus) {
  return { description: errorNames[status], content: { 'application/json': { schema: errorBody } } };
}
