import { z } from 'zod';
import { component } from '../component.ts';
import type { Group } from '../endpoint.ts';

const healthy = component('Health', 'The process is healthy.', {
  status: z.literal('ok').describe('Always `ok`; otherwise the response is an error.'),
});

/** Health checks for load balancers and supervisors, without authentication. */
export const health = {
  live: {
    method: 'GET',
    path: '/health/live',
    access: 'public',
    summary: 'Check that the process runs',
    description: 'Does not use the database.',
    response: healthy,
  },
  ready: {
    method: 'GET',
    path: '/health/ready',
    access: 'public',
    summary: 'Check that the process can serve requests',
    description:
      'Returns 503 with the reason while the process starts or stops, if the database does not respond within 2 seconds, if a newer ' +
      'version has migrated it, and while a disk is full.',
    response: healthy,
  },
} as const satisfies Group;
