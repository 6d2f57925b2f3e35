import {
  contract,
  isMultipart,
  isStream,
  deliveryPayload,
  errorBody,
  errorNames,
  eventNames,
  parametersOf,
  type Endpoint,
  type Multipart,
} from '@runward/contract';
import { csrfHeader, sessionCookie } from './browser.ts';
import { createDocument, type ZodOpenApiOperationObject, type ZodOpenApiPathsObject } from 'zod-openapi';
import { z } from 'zod';
import { version } from '../version.ts';

/** The contract as an OpenAPI 3.1 document. Operation ids equal the method paths in the SDK. */
export function openApiDocument(baseUrl: string): Record<string, unknown> {
  const paths: ZodOpenApiPathsObject = {};
  for (const [group, endpoints] of Object.entries(contract)) {
    for (const [name, endpoint] of Object.entries<Endpoint>(endpoints)) {
      const path = endpoint.path.replaceAll(/:(\w+)/g, '{$1}');
      const methods = (paths[path] ??= {});
      methods[endpoint.method.toLowerCase() as Lowercase<Endpoint['method']>] = operation(group, name, endpoint);
    }
  }
  const document = createDocument(
    {
      openapi: '3.1.1',
      info: {
        title: 'Runward',
        version,
        description: 'Templates describe a process, runs carry it out, webhook receivers get signed events.',
      },
      servers: [{ url: baseUrl }],
      tags: Object.keys(contract).map((name) => ({ name })),
      paths,
      webhooks: Object.fromEntries(eventNames.map((event) => [event, { post: eventOperation(event) }])),
      components: {
        securitySchemes: {
          apiKey: { type: 'http', scheme: 'bearer', description: 'An API key: sk_live_…' },
          session: {
            type: 'apiKey',
            in: 'cookie',
            name: sessionCookie,
            description: 'The cookie of a browser session.',
          },
          csrfToken: {
            type: 'apiKey',
            in: 'header',
            name: csrfHeader,
            description: 'The value of the cookie flow_csrf.',
          },
        },
      },
    },
    {
      override: ({ jsonSchema, io }) => {
        // Responses may gain properties; only requests reject unknown ones.
        if (io === 'output') delete jsonSchema.additionalProperties;
        // The format suffices; the pattern is a page long.
        if (jsonSchema.format) delete jsonSchema.pattern;
      },
    },
  );
  return document as unknown as Record<string, unknown>;
}

function operation(group: string, name: string, endpoint: Endpoint): ZodOpenApiOperationObject {
  const params = parametersOf(endpoint);
  return {
    operationId: `${group}.${name}`,
    tags: [group],
    summary: endpoint.summary,
    description: [endpoint.description, accessOf(endpoint)].filter(Boolean).join('\n\n'),
    security: securityOf(endpoint),
    requestParams: {
      ...(params.size > 0 && { path: z.object(Object.fromEntries(params)) }),
      ...(endpoint.query && { query: endpoint.query }),
    },
    ...(endpoint.body && { requestBody: requestBodyOf(endpoint.body) }),
    responses: {
      [endpoint.status]: { description: endpoint.summary, ...contentOf(endpoint) },
      ...Object.fromEntries(errorsOf(endpoint).map((status) => [status, errorResponse(status)])),
    },
  };
}

function accessOf({ access }: Endpoint): string {
  if (access === 'public') return 'No authentication.';
  if (access === 'session') return 'Requires a browser session; API keys are rejected with 401.';
  if (access === 'administrator')
    return 'Requires a browser session of an owner or admin; API keys are rejected with 401.';
  return `Scope: \`${access}\`. A browser session needs no scope.`;
}

/** The alternatives of authentication. Writes of a session also send the CSRF token. */
function securityOf(endpoint: Endpoint): Record<string, string[]>[] {
  const { access, method } = endpoint;
  if (access === 'public') return [];
  const session = { session: [], ...(method !== 'GET' && { csrfToken: [] }) };
  return access === 'session' || access === 'administrator' ? [session] : [{ apiKey: [] }, session];
}

function requestBodyOf(body: NonNullable<Endpoint['body']>) {
  if (isMultipart(body)) return { required: true, content: { 'multipart/form-data': multipartOf(body) } };
  return { required: !body.safeParse(undefined).success, content: { 'application/json': { schema: body } } };
}

function multipartOf({ fields, files }: Multipart) {
  const binary = ({ maximumBytes, contentTypes, description = '' }: Multipart['files'][string]) => {
    const limits = `At most ${maximumBytes} bytes. ${contentTypes.length > 0 ? `One of ${contentTypes.join(', ')}.` : ''}`;
    const note = `${description} ${limits}`.trim();
    return z.string().meta({ format: 'binary', description: note });
  };
  const parts = Object.fromEntries(Object.entries(files).map(([name, part]) => [name, binary(part)]));
  const encoding = Object.entries(files).flatMap(([name, { contentTypes }]) =>
    contentTypes.length > 0 ? [[name, { contentType: contentTypes.join(', ') }]] : [],
  );
  return { schema: fields.extend(parts), encoding: Object.fromEntries(encoding) as Record<string, object> };
}

function contentOf({ response }: Endpoint) {
  if (!response) return {};
  if (!isStream(response)) return { content: { 'application/json': { schema: response } } };
  const schema = { type: 'string', format: 'binary' } as const;
  return { content: Object.fromEntries(response.contentTypes.map((type) => [type, { schema }])) };
}

function errorsOf({ path, query, body, access }: Endpoint): (keyof typeof errorNames)[] {
  const isPublic = access === 'public';
  const takesInput = path.includes(':') || query !== undefined || body !== undefined;
  const errors: [boolean, keyof typeof errorNames][] = [
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

function errorResponse(status: keyof typeof errorNames) {
  return { description: errorNames[status], content: { 'application/json': { schema: errorBody } } };
}

function eventOperation(event: string): ZodOpenApiOperationObject {
  return {
    operationId: `event.${event}`,
    summary: `Sent on ${event}`,
    description:
      'Signed: `x-flow-signature` is the hex HMAC-SHA256 of `x-flow-timestamp`, a dot and the raw body. During the rotation of a ' +
      'secret, `x-flow-signature-previous` is computed with the previous one. The headers of Standard Webhooks are sent as well.',
    requestBody: { content: { 'application/json': { schema: deliveryPayload } } },
    responses: { '2XX': { description: 'Received. Any other response is retried.' } },
  };
}
