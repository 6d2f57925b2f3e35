import { sql, type RawBuilder } from 'kysely';
import type { Em } from '../db/database.ts';
import { Template } from '../db/entities/template.ts';
import { forbidden } from '../fault.ts';
import type { Actor } from './actor.ts';

/** The where of a query over templates: the organization, no deleted ones, and the key's reach. */
export function reachableTemplates({ organizationId, reach }: Actor) {
  const own = { organizationId, deletedAt: null };
  if (reach.mode === 'SELECTED_TEMPLATES') return { ...own, id: { $in: [...reach.templateIds] } };
  if (reach.mode === 'SELECTED_FOLDERS') return { ...own, folderId: { $in: [...reach.folderIds] } };
  return own;
}

/** The condition of a query over `runs` (alias `run`): the organization and the key's reach. */
export function reachableRuns(actor: Actor): RawBuilder<unknown> {
  return reachable('run', actor);
}

/** The condition of a query over `events` (alias `event`): the organization and the key's reach. */
export function reachableEvents(actor: Actor): RawBuilder<unknown> {
  return reachable('event', actor);
}

function reachable(alias: string, { organizationId, reach }: Actor): RawBuilder<unknown> {
  const own = sql`${sql.ref(`${alias}.organization_id`)} = ${organizationId}`;
  const templateId = sql.ref(`${alias}.template_id`);
  if (reach.mode === 'SELECTED_TEMPLATES') return sql`${own} and ${templateId} = any(${reach.templateIds}::uuid[])`;
  if (reach.mode === 'SELECTED_FOLDERS') {
    const inside = sql`select id from templates where organization_id = ${organizationId} and folder_id = any(${reach.folderIds}::uuid[])`;
    return sql`${own} and ${templateId} in (${inside})`;
  }
  return own;
}

/** Throws a 403 where the key's resource mode does not grant a template lying in a folder. */
export function ensureReach({ reach }: Actor, template: { id: string; folderId: string | null }): void {
  const granted =
    reach.mode === 'ALL' ||
    (reach.mode === 'SELECTED_TEMPLATES' && reach.templateIds.includes(template.id)) ||
    (reach.mode === 'SELECTED_FOLDERS' && template.folderId !== null && reach.folderIds.includes(template.folderId));
  if (!granted) {
    throw forbidden(
      `The API key's resource mode ${reach.mode} does not grant this template; use a key that lists it or its folder.`,
    );
  }
}

/** The same for a template known by its id alone, as from one of its runs. */
export async function ensureTemplateReach(em: Em, actor: Actor, templateId: string): Promise<void> {
  if (actor.reach.mode === 'ALL') return;
  const { organizationId } = actor;
  const template = await em.findOne(Template, { id: templateId, organizationId }, { fields: ['id', 'folderId'] });
  ensureReach(actor, { id: templateId, folderId: template?.folderId ?? null });
}
