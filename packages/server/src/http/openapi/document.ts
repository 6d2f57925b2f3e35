import { contract, type Endpoint, type GroupName } from '@runward/contract';
import { z } from 'zod';
import { createDocument, type ZodOpenApiPathsObject } from 'zod-openapi';
import { version } from '../../version.ts';
import { errorResponses, errorSchemas } from './errors.ts';
import { headerParameters, headers } from './headers.ts';
import { introduction } from './introduction.ts';
import { operationOf } from './operations.ts';
import { statusesOf } from './responses.ts';
import { securitySchemes } from './security.ts';
import { tags } from './tags.ts';
import { deliveryHeaders, webhooks } from './webhooks.ts';

const endpoints = Object.values(contract).flatMap((group) => Object.values<Endpoint>(group));

const bodies = new Set<unknown>(endpoints.map(({ body }) => (body instanceof z.ZodOptional ? body.unwrap() : body)));

/** The contract as an OpenAPI 3.1 document. Operation ids equal the method paths in the SDK. */
export function openApiDocument(): Record<string, unknown> {
  const document = createDocument(
    {
      openapi: '3.1.1',
      info: {
        title: 'Runward',
        version,
        description: introduction,
        license: { name: 'Proprietary', identifier: 'LicenseRef-Proprietary' },
      },
      // A relative URL lets the reference call the service that it was loaded from, whatever its name.
      servers: [{ url: '/', description: 'This service' }],
      tags,
      paths: paths(),
      webhooks: webhooks(),
      components: {
        securitySchemes,
        schemas: errorSchemas,
        responses: errorResponses(new Set(endpoints.flatMap(statusesOf))),
        headers,
        parameters: { ...headerParameters, ...deliveryHeaders },
      },
    },
    {
      override: ({ zodSchema, jsonSchema, io }) => {
        const { def } = zodSchema._zod;
        // Responses may gain properties; only requests reject unknown ones. A schema that both use is one component.
        const isStrict = jsonSchema.additionalProperties === false;
        if (isStrict && (io === 'output' || isShared(zodSchema))) delete jsonSchema.additionalProperties;
        // The format is enough; the pattern is a page long.
        if (jsonSchema.format) delete jsonSchema.pattern;
        withoutSafeBounds(jsonSchema);
        // Zod omits the default of a schema that converts text, like `limit`.
        if (def.type === 'default') jsonSchema.default = def.defaultValue;
      },
    },
  );
  return document as unknown as Record<string, unknown>;
}

function paths(): ZodOpenApiPathsObject {
  const all: ZodOpenApiPathsObject = {};
  for (const [group, members] of Object.entries(contract)) {
    for (const [name, endpoint] of Object.entries<Endpoint>(members)) {
      const path = endpoint.path.replaceAll(/:(\w+)/g, '{$1}');
      const methods = (all[path] ??= {});
      methods[endpoint.method.toLowerCase() as Lowercase<Endpoint['method']>] = operationOf(
        group as GroupName,
        name,
        endpoint,
      );
    }
  }
  return all;
}

/**
 * Whether a schema is a component that may occur in requests and in responses: it has a name and is not the body of a
 * request.
 */
function isShared(schema: z.core.$ZodType): boolean {
  return z.globalRegistry.get(schema)?.id !== undefined && !bodies.has(schema);
}

/** Removes the bounds that zod gives to every integer, because they describe JavaScript and not the value. */
function withoutSafeBounds(schema: z.core.JSONSchema.BaseSchema): void {
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
}
