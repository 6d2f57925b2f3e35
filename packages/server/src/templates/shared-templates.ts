import type { Parts } from '@runward/contract';
import type { Handlers } from '../access/handler.ts';
import { badRequest } from '../api-error.ts';
import { recordChange } from '../audit-log/record-change.ts';
import type { TemplateShare } from './entities/template-share.ts';
import { presentTemplate } from './present-templates.ts';
import { shareProperties, shareTarget } from './sharing/audited-share.ts';
import { importTemplate, previewTemplate } from './sharing/import-template.ts';
import { lockShare } from './sharing/lock-share.ts';
import { presentShare } from './sharing/present-share.ts';
import { expiryOf, isExpired } from './sharing/share-expiry.ts';
import { newShareToken } from './sharing/share-token.ts';

/** Changes of shares, and what callers can do with their tokens (spec: Shared templates). */
export const sharedTemplates: Handlers<Parts['sharedTemplates']> = {
  update: async ({ params, body, ...context }) => {
    const share = await lockShare(context, params.shareId);
    ensureNotRevoked(share);
    const before = shareProperties(share);
    const { name = share.name ?? null } = body;
    const expiresAt = expiryOf(body.expiresAt, context.now);
    Object.assign(share, { name, ...(expiresAt !== undefined && { expiresAt }) });
    await context.em.flush();
    const after = shareProperties(share);
    await recordChange(context, { action: 'share.updated', target: shareTarget(share), before, after });
    return presentShare(share, context.now);
  },

  refresh: async ({ params, ...context }) => {
    const share = await lockShare(context, params.shareId);
    ensureNotRevoked(share);
    if (isExpired(share, context.now))
      throw badRequest('share_inactive', 'The share has expired; set a later expiresAt first.');
    const before = shareProperties(share);
    const { token, ...stored } = newShareToken();
    Object.assign(share, stored);
    await context.em.flush();
    const after = shareProperties(share);
    await recordChange(context, { action: 'share.refreshed', target: shareTarget(share), before, after });
    return { ...presentShare(share, context.now), token };
  },

  revoke: async ({ params, ...context }) => {
    const share = await lockShare(context, params.shareId);
    if (share.revokedAt) return;
    share.revokedAt = context.now;
    await context.em.flush();
    await recordChange(context, { action: 'share.revoked', target: shareTarget(share) });
  },

  preview: async ({ params, ...context }) => previewTemplate(context, params.token),

  import: async ({ params, body, ...context }) => {
    const { template, dropped } = await importTemplate(context, params.token, body ?? {});
    return { template: await presentTemplate(context, template), dropped: [...dropped] };
  },
};

function ensureNotRevoked({ revokedAt }: Pick<TemplateShare, 'revokedAt'>): void {
  if (revokedAt) throw badRequest('share_inactive', 'The share is revoked for good; create another one.');
}
