import type { Endpoint, Group } from '@runward/contract';
import { z } from 'zod';

const base = { path: '/files/:token', access: 'runs:read', summary: '' } as const;

/** A contract with every kind of body and response. */
export const fileContract = {
  files: {
    download: { ...base, method: 'GET', response: { kind: 'stream', contentTypes: ['text/csv', 'application/pdf'] } },
    render: {
      ...base,
      method: 'POST',
      effect: 'read',
      body: z.strictObject({ page: z.int() }),
      response: { kind: 'stream', contentTypes: ['application/pdf'] },
    },
    count: { ...base, method: 'POST', effect: 'read', body: z.strictObject({}), response: z.int() },
    upload: {
      ...base,
      method: 'POST',
      body: {
        kind: 'multipart',
        fields: z.strictObject({ title: z.string(), tag: z.array(z.string()).optional() }),
        files: { file: { maximumBytes: 1000, contentTypes: [] }, preview: { maximumBytes: 1000, contentTypes: [] } },
      },
      response: z.strictObject({ id: z.string() }),
    },
    replace: {
      ...base,
      method: 'PUT',
      body: {
        kind: 'multipart',
        fields: z.strictObject({}),
        files: { file: { maximumBytes: 1000, contentTypes: [] } },
      },
      response: z.strictObject({ id: z.string() }),
    },
  },
} as const satisfies Readonly<Record<string, Group & Readonly<Record<string, Endpoint>>>>;
