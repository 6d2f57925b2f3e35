import { contract, type Endpoint } from '@runward/contract';
import { z } from 'zod';
import { createDocument, type ZodOpenApiPathsObject } from 'zod-openapi';
import { version } from '../../version.ts';
import { operationOf } from './operations.ts';
import { securitySchemes } from './security.ts';
import { tags } from './tags.ts';
import { webhooks } from './webhooks.ts';

/** The contract as an OpenAPI 3.1 document. Operation ids equal the method paths in the SDK. */
export function openApiDocument(baseUrl: string): Record<string, unknown> {
  const document = createDocument(
    {
      openapi: '3.1.1',
      info: {
        title: 'Runward',
        version,
        description: 'Templates describe a process, runs carry it out, webhook receivers get signed events.',
      },
      servers: [{ url: baseUrl }],
      tags,
      paths: paths(),
      webhooks: webhooks(),
      components: { securitySchemes },
    },
    {
      override: ({ zodSchema, jsonSchema, io }) => {
        // Responses may gain properties; only requests reject unknown ones. A schema that both use is one component.
        if (io === 'output' || isShared(zodSchema)) delete jsonSchema.additionalProperties;
        // The format suffices; the pattern is a page long.
        if (jsonSchema.format) delete jsonSchema.pattern;
      },
    },
  );
  return document as unknown as Record<string, unknown>;
}

function paths(): ZodOpenApiPathsObject {
  const all: ZodOpenApiPathsObject = {};
  for (const [group, endpoints] of Object.entries(contract)) {
    for (const [name, endpoint] of Object.entries<Endpoint>(endpoints)) {
      const path = endpoint.path.replaceAll(/:(\w+)/g, '{$1}');
      const methods = (all[path] ??= {});
      methods[endpoint.method.toLowerCase() as Lowercase<Endpoint['method']>] = operationOf(group, name, endpoint);
    }
  }
  return all;
}

const bodies = new Set<unknown>(
  Object.values(contract)
    .flatMap((endpoints) => Object.values<Endpoint>(endpoints))
    .map(({ body }) => (body instanceof z.ZodOptional ? body.unwrap() : body)),
);

/** Whether a schema is a component that may occur in requests and responses: one with a name that is not the body of a request. */
function isShared(schema: z.core.$ZodType): boolean {
  return z.globalRegistry.get(schema)?.id !== undefined && !bodies.has(schema);
}
