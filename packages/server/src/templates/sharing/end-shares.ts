import type { RequestContext } from '../../access/request-context.ts';
import { recordChange } from '../../audit-log/record-change.ts';
import { TemplateShare } from '../entities/template-share.ts';
import type { Template } from '../entities/template.ts';

/** Revokes all shares of a template permanently: unarchiving it must not reopen links that everyone believes dead. */
export async function endShares(
  context: Pick<RequestContext, 'em' | 'actor' | 'now' | 'browser'>,
  { id: templateId, name }: Pick<Template, 'id' | 'name'>,
): Promise<void> {
  const { em, actor, now } = context;
  const { organizationId } = actor;
  const valid = { organizationId, templateId, revokedAt: null };
  const shares = await em.nativeUpdate(TemplateShare, valid, { revokedAt: now });
  if (shares === 0) return;
  const target = { type: 'TEMPLATE', id: templateId, label: name } as const;
  await recordChange(context, { action: 'share.revoked', target, after: { shares } });
}
