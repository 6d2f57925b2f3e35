import { z } from 'zod';

/** Reason phrases by status, as the error body spells them (spec: Errors). */
export const errorNames = {
  400: 'Bad Request',
  401: 'Unauthorized',
  402: 'Payment Required',
  403: 'Forbidden',
  404: 'Not Found',
  413: 'Payload Too Large',
  429: 'Too Many Requests',
  500: 'Internal Server Error',
  503: 'Service Unavailable',
} as const;

/** A status an error answer can have. */
export type ErrorStatus = keyof typeof errorNames;

/** The body of every answer with a status of 400 or more (spec: Error body). */
export const errorBody = z
  .strictObject({
    statusCode: z.int(),
    error: z.string(),
    message: z.union([z.string(), z.array(z.string())]),
    timestamp: z.iso.datetime(),
    path: z.string(),
    code: z.literal('FEATURE_LOCKED').optional().meta({ description: 'Only with 402.' }),
    capability: z.string().optional().meta({ description: 'Only with 402: the capability the plan lacks.' }),
    retryAfter: z.int().optional().meta({ description: 'Only with 429: seconds to wait.' }),
  })
  .meta({ id: 'Error' });

/** The body of an error answer. */
export type ErrorBody = z.output<typeof errorBody>;
