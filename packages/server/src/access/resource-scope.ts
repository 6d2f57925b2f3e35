import { sql, type RawBuilder } from 'kysely';
import type { Em } from '../database/database.ts';
import { Template } from '../templates/entities/template.ts';
import { forbidden } from '../api-error.ts';
import type { Actor } from './actor.ts';

/** The where of a query over templates: the organization, no deleted ones, and the key's reach. */
export function templatesInScope({ organizationId, resourceScope }: Actor) {
  const own = { organizationId, deletedAt: null };
  if (resourceScope.mode === 'SELECTED_TEMPLATES') return { ...own, id: { $in: [...resourceScope.templateIds] } };
  if (resourceScope.mode === 'SELECTED_FOLDERS') return { ...own, folderId: { $in: [...resourceScope.folderIds] } };
  return own;
}

/** The condition of a query over `runs` (alias `run`): the organization and the key's reach. */
export function runsInScope(actor: Actor): RawBuilder<unknown> {
  return reachable('run', actor);
}

/** The condition of a query over `events` (alias `event`): the organization and the key's reach. */
export function eventsInScope(actor: Actor): RawBuilder<unknown> {
  return reachable('event', actor);
}

function reachable(alias: string, { organizationId, resourceScope }: Actor): RawBuilder<unknown> {
  const own = sql`${sql.ref(`${alias}.organization_id`)} = ${organizationId}`;
  const templateId = sql.ref(`${alias}.template_id`);
  if (resourceScope.mode === 'SELECTED_TEMPLATES')
    return sql`${own} and ${templateId} = any(${resourceScope.templateIds}::uuid[])`;
  if (resourceScope.mode === 'SELECTED_FOLDERS') {
    const inside = sql`select id from templates where organization_id = ${organizationId} and folder_id = any(${resourceScope.folderIds}::uuid[])`;
    return sql`${own} and ${templateId} in (${inside})`;
  }
  return own;
}

/** Throws a 403 where the key's resource mode does not grant a template lying in a folder. */
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

/** The same for a template known by its id alone, as from one of its runs. */
export async function ensureTemplateInScope(em: Em, actor: Actor, templateId: string): Promise<void> {
  if (actor.resourceScope.mode === 'ALL') return;
  const { organizationId } = actor;
  const template = await em.findOne(Template, { id: templateId, organizationId }, { fields: ['id', 'folderId'] });
  ensureInScope(actor, { id: templateId, folderId: template?.folderId ?? null });
}
