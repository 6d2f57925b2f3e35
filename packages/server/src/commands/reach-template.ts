import { ensureReach } from '../access/reach.ts';
import type { Scene } from '../api/handler.ts';
import { Template } from '../db/entities/template.ts';
import { lockTemplateRow, type TemplateLock } from '../db/queries/lock-template.ts';
import { found, notFound } from '../fault.ts';

/** A template without its draft, which is large and seldom needed. */
export type TemplateSettings = Omit<Template, 'draft'>;

/** A template the caller may reach, without its draft. Throws a 404 or 403. */
export async function reachTemplate(scene: Pick<Scene, 'em' | 'actor'>, id: string): Promise<TemplateSettings> {
  return reach(scene, id, []);
}

/** A template the caller may reach, with its draft. Throws a 404 or 403. */
export async function reachDraft(scene: Pick<Scene, 'em' | 'actor'>, id: string): Promise<Template> {
  return reach(scene, id, ['draft']);
}

/** The same, with its row locked until the transaction ends, so that two edits come one after the other. */
export async function lockTemplate(
  scene: Pick<Scene, 'em' | 'actor'>,
  id: string,
  lock: TemplateLock = 'edits',
): Promise<Template> {
  // A statement of its own: one that waits for a lock may have read the rest as it was before the wait.
  const exists = await lockTemplateRow(scene.em, scene.actor.organizationId, id, lock);
  if (!exists) throw notFound('Template');
  return reachDraft(scene, id);
}

async function reach({ em, actor }: Pick<Scene, 'em' | 'actor'>, id: string, populate: 'draft'[]): Promise<Template> {
  const { organizationId } = actor;
  const template = found(await em.findOne(Template, { id, organizationId, deletedAt: null }, { populate }), 'Template');
  ensureReach(actor, { id, folderId: template.folderId ?? null });
  return template;
}
