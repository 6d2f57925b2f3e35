import type { RequestContext } from '../../access/request-context.ts';
import { TemplateShare } from '../entities/template-share.ts';
import type { Template } from '../entities/template.ts';

/** Revokes all shares of a template permanently: unarchiving it must not reopen links that everyone believes dead. */
export async function endShares(
  { em, actor: { organizationId }, now }: Pick<RequestContext, 'em' | 'actor' | 'now'>,
  { id: templateId }: Pick<Template, 'id'>,
): Promise<void> {
  await em.nativeUpdate(TemplateShare, { organizationId, templateId, revokedAt: null }, { revokedAt: now });
}
