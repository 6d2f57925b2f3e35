import { forbidden } from '../../api-error.ts';
import type { Em } from '../../database/database.ts';
import { Template } from '../../templates/entities/template.ts';
import type { Actor } from '../actor.ts';

/** Throws a 403 if a template in this folder is outside the key's resource scope. */
export function ensureInScope({ resourceScope }: Actor, template: { id: string; folderId: string | null }): void {
  const granted =
    resourceScope.mode === 'ALL' ||
    (resourceScope.mode === 'SELECTED_TEMPLATES' && resourceScope.templateIds.includes(template.id)) ||
    (resourceScope.mode === 'SELECTED_FOLDERS' &&
      template.folderId !== null &&
      resourceScope.folderIds.includes(template.folderId));
  if (!granted) {
    throw forbidden(
      `The API key's resource mode ${resourceScope.mode} does not grant access to this template; use a key that lists it or its folder.`,
    );
  }
}

/** The same for a template of which only the id is known, such as the template of a run. */
export async function ensureTemplateInScope(em: Em, actor: Actor, templateId: string): Promise<void> {
  if (actor.resourceScope.mode === 'ALL') return;
  const { organizationId } = actor;
  const template = await em.findOne(Template, { id: templateId, organizationId }, { fields: ['id', 'folderId'] });
  ensureInScope(actor, { id: templateId, folderId: template?.folderId ?? null });
}
