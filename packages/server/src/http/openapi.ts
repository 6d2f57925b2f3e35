import {
  contract,
  deliveryPayload,
  errorBody,
  errorNames,
  eventNames,
  parameterNames,
  type Endpoint,
} from '@runward/contract';
import { createDocument, type ZodOpenApiOperationObject, type ZodOpenApiPathsObject } from 'zod-openapi';
import { z } from 'zod';

/** The contract as an OpenAPI 3.1 document. Operation ids are the places in the SDK. */
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
        version: '0.1.0',
        description: 'Templates describe a process, runs carry it out, receivers get signed webhooks.',
      },
      servers: [{ url: baseUrl }],
      security: [{ apiKey: [] }],
      tags: Object.keys(contract).map((name) => ({ name })),
      paths,
      webhooks: Object.fromEntries(eventNames.map((event) => [event, { post: eventOperation(event) }])),
      components: {
        securitySchemes: { apiKey: { type: 'http', scheme: 'bearer', description: 'An API key: sk_live_…' } },
      },
    },
    {
      override: ({ jsonSchema, io }) => {
        // Answers may gain fields; only what is sent is closed.
        if (io === 'output') delete jsonSchema.additionalProperties;
        // The format says it; the pattern is a page long.
        if (jsonSchema.format) delete jsonSchema.pattern;
      },
    },
  );
  return document as unknown as Record<string, unknown>;
}

function operation(group: string, name: string, endpoint: Endpoint): ZodOpenApiOperationObject {
  const names = parameterNames(endpoint.path);
  const access =
    endpoint.access === 'public'
      ? 'No key needed.'
      : endpoint.access === 'session'
        ? 'Needs a browser session.'
        : `Scope: \`${endpoint.access}\`.`;
  return {
    operationId: `${group}.${name}`,
    tags: [group],
    summary: endpoint.summary,
    description: [endpoint.description, access].filter(Boolean).join('\n\n'),
    ...(endpoint.access === 'public' && { security: [] }),
    requestParams: {
      ...(names.length > 0 && { path: z.object(Object.fromEntries(names.map((each) => [each, z.uuid()]))) }),
      ...(endpoint.query && { query: endpoint.query }),
    },
    ...(endpoint.body && {
      requestBody: {
        required: !endpoint.body.safeParse(undefined).success,
        content: { 'application/json': { schema: endpoint.body } },
      },
    }),
    responses: {
      [endpoint.status]: {
        description: endpoint.summary,
        ...(endpoint.response && { content: { 'application/json': { schema: endpoint.response } } }),
      },
      ...Object.fromEntries(errorsOf(endpoint).map((status) => [status, errorAnswer(status)])),
    },
  };
}

function errorsOf({ path, body, access }: Endpoint): (keyof typeof errorNames)[] {
  if (access === 'public') return [500];
  return [400, 401, 402, 403, ...(path.includes(':') ? [404 as const] : []), ...(body ? [413 as const] : []), 429, 500];
}

function errorAnswer(status: keyof typeof errorNames) {
  return { description: errorNames[status], content: { 'application/json': { schema: errorBody } } };
}

function eventOperation(event: string): ZodOpenApiOperationObject {
  return {
    operationId: `event.${event}`,
    summary: `Sent on ${event}`,
    description:
      'Signed: `x-flow-signature` is the hex HMAC-SHA256 of `x-flow-timestamp`, a dot and the raw body. While a secret is rotated ' +
      '`x-flow-signature-previous` is made with the one before. The headers of Standard Webhooks are there too.',
    requestBody: { content: { 'application/json': { schema: deliveryPayload } } },
    responses: { '2XX': { description: 'Received; anything else is tried again later.' } },
  };
}
