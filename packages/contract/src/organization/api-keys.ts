import { z } from 'zod';
import { component } from '../component.ts';
import type { Group } from '../endpoint.ts';
import { page, pageQuery } from '../page.ts';
import { resourceMode, scope } from '../scopes.ts';
import { id, idList, timestamp, title } from '../values.ts';

/** ACTIVE keys can be used; EXPIRED ones are past `expiresAt`. */
const apiKeyStatuses = ['ACTIVE', 'REVOKED', 'EXPIRED'] as const;

/** The status of an API key on the wire. */
const apiKeyStatus = z
  .enum(apiKeyStatuses)
  .meta({ id: 'ApiKeyStatus', description: 'Whether an API key can be used, was revoked or has expired.' });

const revokedReason = z
  .enum(['MEMBER_DEACTIVATED'])
  .meta({ id: 'ApiKeyRevokedReason', description: 'Why a listed key is REVOKED.' });

/** An API key (spec: Resources, API key). The key itself is returned only when it is created. */
export const apiKey = component('ApiKey', 'An API key, without the key itself.', {
  id: id.describe('Id of the key.'),
  name: title.describe('Display name.'),
  keyPrefix: z
    .string()
    .regex(/^sk_live_…[0-9A-Za-z]{4}$/)
    .describe('Masked key: `sk_live_`, an ellipsis and the last four characters.'),
  scopes: z.array(scope).describe('Permissions of the key.'),
  resourceMode: resourceMode.describe('Templates that the key can access, together with their drafts and runs.'),
  scopedTemplateIds: z.array(id).describe('Empty unless `resourceMode` is SELECTED_TEMPLATES.'),
  scopedFolderIds: z.array(id).describe('Empty unless `resourceMode` is SELECTED_FOLDERS.'),
  status: apiKeyStatus.describe(
    'ACTIVE keys can be used; REVOKED ones are rejected, see `revokedReason`; EXPIRED ones are past `expiresAt`.',
  ),
  revokedReason: revokedReason
    .nullable()
    .describe(
      'Why a listed key is REVOKED: the member that it acts as is deactivated. The key works again when the member is activated.',
    ),
  expiresAt: z.iso.datetime().nullable().describe('null: never.'),
  lastUsedAt: z.iso.datetime().nullable().describe('Accurate to the minute; null if never used.'),
  createdByUserId: id.describe('The member that the key acts as.'),
  createdAt: z.iso.datetime().describe('When the key was created.'),
});

/** API keys, managed by owners and admins in a browser session (spec: API key management). */
export const apiKeys = {
  list: {
    method: 'GET',
    path: '/api-keys',
    access: 'administrator',
    summary: 'List active API keys, newest first',
    description:
      'Expired keys, and keys that were revoked with `DELETE /api-keys/:id`, are not listed. Keys of deactivated members are listed as REVOKED.',
    query: pageQuery,
    response: page(apiKey),
  },
  create: {
    method: 'POST',
    path: '/api-keys',
    access: 'administrator',
    requires: 'apiKeys',
    summary: 'Create an API key',
    description:
      'The full key is in `plainKey` of this response and cannot be retrieved later. The key acts as the member who creates it and ' +
      'stops working when that member is deactivated. Returns 400 if the organization already has 100 active keys, and 402 if its ' +
      'plan does not include API access.',
    body: component('CreateApiKey', 'A new API key.', {
      name: title.describe('Display name.'),
      scopes: z
        .array(scope)
        .min(1, 'must contain at least one scope')
        .refine((all) => new Set(all).size === all.length, 'must not contain a scope twice')
        .describe('Permissions of the key; at least one.'),
      resourceMode: resourceMode.optional().meta({
        description:
          'Templates that the key can access, together with their drafts and runs: all, the listed ones, or those in the listed ' +
          'folders. Default: ALL.',
        default: 'ALL',
      }),
      scopedTemplateIds: idList(1000)
        .optional()
        .describe('At least one with SELECTED_TEMPLATES; not allowed with other modes.'),
      scopedFolderIds: idList(1000)
        .optional()
        .describe('At least one with SELECTED_FOLDERS; not allowed with other modes.'),
      expiresAt: timestamp.nullable().optional().meta({
        description: 'After this time the key is rejected with 401. Must be in the future. Default: null, never.',
        default: null,
      }),
    }),
    errors: ['limit_reached'],
    status: 201,
    response: apiKey
      .extend({
        plainKey: z
          .string()
          .regex(/^sk_live_[0-9A-Za-z]{49}$/)
          .describe('The full key. Store it now.'),
      })
      .meta({ id: 'NewApiKey', description: 'A new API key, with the key itself.' }),
  },
  revoke: {
    method: 'DELETE',
    path: '/api-keys/:id',
    access: 'administrator',
    summary: 'Revoke an API key',
    description: 'The key is rejected with 401 from the next request on. A revoked key cannot be restored.',
  },
} as const satisfies Group;
