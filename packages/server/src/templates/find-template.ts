import { ensureInScope } from '../access/resource-scope.ts';
import type { RequestContext } from '../access/request-context.ts';
import { Template } from './entities/template.ts';
import { lockTemplateRow, type TemplateLock } from './queries/lock-template.ts';
import { found, notFound } from '../api-error.ts';

/** A template without its draft, which is large and seldom needed. */
export type TemplateSettings = Omit<Template, 'draft'>;

/** A template the caller may reach, without its draft. Throws a 404 or 403. */
export async function findTemplate(
  context: Pick<RequestContext, 'em' | 'actor'>,
  id: string,
): Promise<TemplateSettings> {
  return find(context, id, []);
}

/** A template the caller may reach, with its draft. Throws a 404 or 403. */
export async function findDraft(context: Pick<RequestContext, 'em' | 'actor'>, id: string): Promise<Template> {
  return find(context, id, ['draft']);
}

/** The same, with its row locked until the transaction ends, so that two edits come one after the other. */
export async function lockTemplate(
  context: Pick<RequestContext, 'em' | 'actor'>,
  id: string,
  lock: TemplateLock = 'edits',
): Promise<Template> {
  // A statement of its own: one that waits for a lock may have read the rest as it was before the wait.
  const exists = await lockTemplateRow(context.em, context.actor.organizationId, id, lock);
  if (!exists) throw notFound('Template');
  return findDraft(context, id);
}

async function find(
  { em, actor }: Pick<RequestContext, 'em' | 'actor'>,
  id: string,
  populate: 'draft'[],
): Promise<Template> {
  const { organizationId } = actor;
  const template = found(await em.findOne(Template, { id, organizationId, deletedAt: null }, { populate }), 'Template');
  ensureInScope(actor, { id, folderId: template.folderId ?? null });
  return template;
}
