import { z } from 'zod';
import type { Group } from '../endpoint.ts';

/** Answers for load balancers and supervisors; no key needed. */
export const health = {
  live: {
    method: 'GET',
    path: '/health/live',
    access: 'public',
    summary: 'The process runs',
    status: 200,
    response: z.strictObject({ status: z.literal('ok') }),
  },
  ready: {
    method: 'GET',
    path: '/health/ready',
    access: 'public',
    summary: 'The process can serve: its database answers and it is not stopping',
    description: 'Answers 503 otherwise.',
    status: 200,
    response: z.strictObject({ status: z.literal('ok') }),
  },
} as const satisfies Group;
