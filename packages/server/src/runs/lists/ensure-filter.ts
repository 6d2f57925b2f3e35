import type { FilterSet } from '@runward/contract';
import type { RequestContext } from '../../access/request-context.ts';
import { ensureInScope } from '../../access/resource-scope/ensure-in-scope.ts';
import { found } from '../../api-error.ts';
import { findListableTemplates } from '../queries/find-listable-templates.ts';
import { ensureFilterSet } from './ensure-filter-set.ts';

/**
 * Throws a 404 or 403 if `templateId` names a template that does not exist or is outside the caller's resource scope,
 * and a 400 or 403 for the filter set. Runs can be listed by a deleted template, because they are kept.
 */
export async function ensureFilter(
  context: Pick<RequestContext, 'em' | 'actor'>,
  { templateId: id, ...filters }: FilterSet & { readonly templateId?: string | undefined },
): Promise<void> {
  await ensureFilterSet(context, filters);
  if (id === undefined) return;
  const { em, actor } = context;
  const [template] = await findListableTemplates(em, actor.organizationId, [id]);
  ensureInScope(actor, found(template, 'Template'));
}
