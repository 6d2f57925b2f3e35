import { z } from 'zod';
import type { Group } from '../endpoint.ts';
import { stream } from '../transfer.ts';

/** Files (spec: Files). */
export const files = {
  transfer: {
    method: 'GET',
    path: '/files/transfer/:token',
    access: 'public',
    summary: 'Download a file by its signed URL',
    description:
      'Other responses contain such URLs for files that the service stores on disk; use them as they are. A token is valid for one file. ' +
      'Returns 404 if the token is invalid or expired or the file was removed.',
    params: {
      token: z
        .string()
        .max(2048)
        .regex(/^[\w-]+\.[\w-]+$/, 'must be the token of a URL that this API returned')
        .meta({ description: 'Token of the signed URL.' }),
    },
    status: 200,
    response: stream('image/png', 'image/jpeg', 'image/webp', 'image/gif'),
  },
} as const satisfies Group;
