import type { RequestContext } from '../../access/request-context.ts';
import { ensureInScope } from '../../access/resource-scope/ensure-in-scope.ts';
import { found, notFound } from '../../api-error.ts';
import { lockRow } from '../../database/lock-row.ts';
import { TemplateShare } from '../entities/template-share.ts';
import { Template } from '../entities/template.ts';

/** A share that the caller may change, with its row locked until the transaction ends. Throws a 404 or 403. */
export async function lockShare(
  { em, actor }: Pick<RequestContext, 'em' | 'actor'>,
  id: string,
): Promise<TemplateShare> {
  const { organizationId } = actor;
  if (!(await lockRow(em, TemplateShare, { organizationId, id }, 'no key update'))) throw notFound('Share');
  const share = found(await em.findOne(TemplateShare, { organizationId, id }), 'Share');
  const own = { organizationId, id: share.templateId, deletedAt: null };
  const { folderId } = found(await em.findOne(Template, own, { fields: ['folderId'] }), 'Share');
  ensureInScope(actor, { id: share.templateId, folderId: folderId ?? null });
  return share;
}
