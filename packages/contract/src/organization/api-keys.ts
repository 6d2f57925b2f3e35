import { z } from 'zod';
import type { Group } from '../endpoint.ts';
import { page, pageQuery } from '../page.ts';
import { resourceModes, scopes } from '../scopes.ts';
import { id, idList, timestamp, title } from '../values.ts';

/** What a key is: usable, revoked, or past its expiry. */
export const apiKeyStatuses = ['ACTIVE', 'REVOKED', 'EXPIRED'] as const;

/** An API key (spec: Resources, API key). The key itself is never read back. */
export const apiKey = z
  .strictObject({
    id,
    name: title,
    keyPrefix: z.string().meta({ description: 'Masked: `sk_live_…` and the last four characters.' }),
    scopes: z.array(z.enum(scopes)),
    resourceMode: z.enum(resourceModes),
    scopedTemplateIds: z.array(id),
    scopedFolderIds: z.array(id),
    status: z.enum(apiKeyStatuses),
    expiresAt: z.iso.datetime().nullable(),
    lastUsedAt: z.iso.datetime().nullable().meta({ description: 'Exact to a minute.' }),
    createdByUserId: id,
    createdAt: z.iso.datetime(),
  })
  .meta({ id: 'ApiKey' });

/** API keys, managed in a browser session by owners and admins (spec: API key management). */
export const apiKeys = {
  list: {
    method: 'GET',
    path: '/api-keys',
    access: 'administrator',
    summary: 'List active keys, newest first',
    query: pageQuery,
    status: 200,
    response: page(apiKey),
  },
  create: {
    method: 'POST',
    path: '/api-keys',
    access: 'administrator',
    summary: 'Create a key; its full value is in this answer only',
    body: z.strictObject({
      name: title,
      scopes: z
        .array(z.enum(scopes))
        .min(1, 'must name at least one scope')
        .refine((all) => new Set(all).size === all.length, 'must not repeat a scope'),
      resourceMode: z.enum(resourceModes).optional().meta({ description: 'Default: ALL.' }),
      scopedTemplateIds: idList(1000)
        .optional()
        .meta({ description: 'Only with SELECTED_TEMPLATES, which needs one.' }),
      scopedFolderIds: idList(1000).optional().meta({ description: 'Only with SELECTED_FOLDERS, which needs one.' }),
      expiresAt: timestamp.nullable().optional().meta({ description: 'Default: never.' }),
    }),
    status: 201,
    response: apiKey.extend({ plainKey: z.string() }).meta({ id: 'NewApiKey' }),
  },
  revoke: {
    method: 'DELETE',
    path: '/api-keys/:id',
    access: 'administrator',
    summary: 'Revoke a key; it stops at the next request',
    status: 204,
  },
} as const satisfies Group;
