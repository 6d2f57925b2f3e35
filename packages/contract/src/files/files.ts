import { z } from 'zod';
import type { Group } from '../endpoint.ts';
import { stream } from '../transfer.ts';

/** Files. */
export const files = {
  transfer: {
    method: 'GET',
    path: '/files/transfer/:token',
    access: 'public',
    summary: 'Download by a signed URL',
    description:
      'Where the URLs lead that this API returns for files kept on disk. A token is good for one file until it expires; 404 afterwards.',
    params: {
      token: z
        .string()
        .max(2048)
        .regex(/^[\w-]+\.[\w-]+$/, 'must be the token of a URL that this API returned'),
    },
    status: 200,
    response: stream('image/png', 'image/jpeg', 'image/webp', 'image/gif'),
  },
} as const satisfies Group;
