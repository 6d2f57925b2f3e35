import { z } from 'zod';
import type { Group } from '../endpoint.ts';

/** The machine-readable form of this contract, without authentication. */
export const openapi = {
  get: {
    method: 'GET',
    path: '/openapi.json',
    access: 'public',
    summary: 'Get this API as an OpenAPI 3.1 document',
    response: z
      .record(z.string(), z.unknown())
      .meta({ id: 'OpenApiDocument', description: 'An OpenAPI 3.1 document.' }),
  },
} as const satisfies Group;
