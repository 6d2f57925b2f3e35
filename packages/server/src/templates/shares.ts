import type { Parts } from '@runward/contract';
import { findTemplate, lockTemplate } from '../access/find-template.ts';
import type { Handlers } from '../access/handler.ts';
import { badRequest } from '../api-error.ts';
import { recordChange } from '../audit-log/record-change.ts';
import { newestFirst } from '../database/newest-first.ts';
import { newId } from '../ids.ts';
import { ensureNotArchived } from './change/change-template.ts';
import { TemplateShare } from './entities/template-share.ts';
import { shareProperties, shareTarget } from './sharing/audited-share.ts';
import { presentShare } from './sharing/present-share.ts';
import { expiryOf } from './sharing/share-expiry.ts';
import { newShareToken } from './sharing/share-token.ts';

/** The shares of one template (spec: Shared templates). */
export const templateShares: Handlers<Parts['templateShares']> = {
  list: async ({ params, query, ...context }) => {
    const { em, actor, now } = context;
    await findTemplate(context, params.templateId);
    const where = { organizationId: actor.organizationId, templateId: params.templateId };
    const page = await newestFirst(em, TemplateShare, where, query);
    return { ...page, data: page.data.map((share) => presentShare(share, now)) };
  },

  create: async ({ params, body, ...context }) => {
    const { em, actor, now } = context;
    const template = await lockTemplate(context, params.templateId);
    ensureNotArchived(template);
    if (!template.publishedVersionId) {
      throw badRequest('template_not_published', 'The template has no published version to share; publish it first.');
    }
    const { token, ...stored } = newShareToken();
    const share = em.create(TemplateShare, {
      ...stored,
      id: newId(),
      organizationId: actor.organizationId,
      templateId: template.id,
      name: body?.name ?? null,
      expiresAt: expiryOf(body?.expiresAt, now) ?? null,
      revokedAt: null,
      importCount: 0,
      createdByUserId: actor.userId,
      createdAt: now,
    });
    await em.flush();
    const after = shareProperties(share);
    await recordChange(context, { action: 'share.created', target: shareTarget(share), after });
    return { ...presentShare(share, now), token };
  },
};
