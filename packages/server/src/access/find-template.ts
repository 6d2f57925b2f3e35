import { found, notFound } from '../api-error.ts';
import { lockRow, type RowLock } from '../database/lock-row.ts';
import { Template } from '../templates/entities/template.ts';
import type { RequestContext } from './request-context.ts';
import { ensureInScope } from './resource-scope/ensure-in-scope.ts';

/** A template without its draft, which is large and rarely needed. */
export type TemplateSettings = Omit<Template, 'draft'>;

/** A template that the caller may use, without its draft. Throws a 404 or 403. */
export async function findTemplate(
  context: Pick<RequestContext, 'em' | 'actor'>,
  id: string,
): Promise<TemplateSettings> {
  return find(context, id, []);
}

/** A template that the caller may use, with its draft. Throws a 404 or 403. */
export async function findDraft(context: Pick<RequestContext, 'em' | 'actor'>, id: string): Promise<Template> {
  return find(context, id, ['draft']);
}

/**
 * A template that the caller may use, with its row locked until the transaction ends. Throws a 404 or 403. Edits happen
 * one at a time. They do not wait for launches, which refer to the row, except with the lock `update`.
 */
export async function lockTemplate(
  context: Pick<RequestContext, 'em' | 'actor'>,
  id: string,
  lock: RowLock = 'no key update',
): Promise<Template> {
  const { em, actor } = context;
  const { organizationId } = actor;
  if (!(await lockRow(em, Template, { organizationId, id, deletedAt: null }, lock))) throw notFound('Template');
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
