import { z } from 'zod';
import { component } from '../component.ts';
import type { Group } from '../endpoint.ts';
import { page, pageQuery } from '../page.ts';
import { id, timestamp, title } from '../values.ts';

/** ACTIVE shares can be used; REVOKED and EXPIRED ones cannot. */
const shareStatuses = ['ACTIVE', 'REVOKED', 'EXPIRED'] as const;

/** The status of a share on the wire. */
const shareStatus = z
  .enum(shareStatuses)
  .meta({ id: 'TemplateShareStatus', description: 'Whether a share can be used, was revoked or has expired.' });

/** A share of a template (spec: Shared templates). The token itself is returned only when it is created. */
export const templateShare = component('TemplateShare', 'A share of a template, without its token.', {
  id: id.describe('Id of the share.'),
  templateId: id.describe('The template that is shared.'),
  name: title.nullable().describe('Display name; null for none.'),
  tokenPrefix: z
    .string()
    .regex(/^share_…[0-9A-Za-z]{4}$/)
    .describe('Masked token: `share_`, an ellipsis and the last four characters.'),
  status: shareStatus.describe(
    'ACTIVE shares can be used. REVOKED shares cannot be used again. EXPIRED shares can, once `expiresAt` is set to a later time.',
  ),
  expiresAt: z.iso.datetime().nullable().describe('When the token expires; null for never.'),
  importCount: z.int().min(0).describe('How many templates were imported with the share.'),
  createdByUserId: id.describe('The member who shared the template.'),
  createdAt: z.iso.datetime().describe('When the share was created.'),
});

/** A share with a new token. */
export const newTemplateShare = templateShare
  .extend({
    token: z
      .string()
      .regex(/^share_[0-9A-Za-z]{43}$/)
      .describe('The token. Store it now.'),
  })
  .meta({ id: 'NewTemplateShare', description: 'A share of a template, with its new token.' });

/** What a caller can set of a share. */
export const shareSettings = z.strictObject({
  name: title
    .nullable()
    .optional()
    .describe('Display name, such as the recipient of the token. Default for new shares: null.'),
  expiresAt: timestamp
    .nullable()
    .optional()
    .describe('When the token expires; must be in the future. null for never, the default for new shares.'),
});

/** The shares of one template. */
export const templateShares = {
  list: {
    method: 'GET',
    path: '/templates/:templateId/shares',
    access: 'templates:read',
    summary: 'List the shares of a template, newest first',
    description: 'Includes revoked and expired shares.',
    query: pageQuery,
    response: page(templateShare),
  },
  create: {
    method: 'POST',
    path: '/templates/:templateId/shares',
    access: 'templates:write',
    summary: 'Share a template with other organizations',
    description:
      'Anyone who has the `token` of this response, and an API key or session of any organization, can preview and import the latest published ' +
      'version. The token cannot be retrieved later. Archiving or deleting the template revokes the share. Returns 400 if the ' +
      'template is archived or was never published.',
    body: shareSettings.meta({ id: 'CreateTemplateShare', description: 'Settings of a new share.' }).optional(),
    errors: ['template_archived', 'template_not_published'],
    status: 201,
    response: newTemplateShare,
  },
} as const satisfies Group;
