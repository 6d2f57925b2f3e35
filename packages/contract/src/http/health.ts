import { z } from 'zod';
import type { Group } from '../endpoint.ts';

/** Health checks for load balancers and supervisors, without authentication. */
export const health = {
  live: {
    method: 'GET',
    path: '/health/live',
    access: 'public',
    summary: 'Check that the process runs',
    description: 'Does not use the database.',
    status: 200,
    response: z.strictObject({ status: z.literal('ok') }),
  },
  ready: {
    method: 'GET',
    path: '/health/ready',
    access: 'public',
    summary: 'Check that the process can serve requests',
    description:
      'Returns 503 with the reason while the process starts or stops, and if the database does not respond within 2 seconds.',
    status: 200,
    response: z.strictObject({ status: z.literal('ok') }),
  },
} as const satisfies Group;
