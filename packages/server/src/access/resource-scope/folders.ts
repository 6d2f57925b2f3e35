import { expressionBuilder, type Expression, type ExpressionBuilder, type SqlBool } from 'kysely';
import { anyOf } from '../../database/expressions.ts';
import type { Tables } from '../../database/tables.ts';
import type { Actor } from '../actor.ts';
import { outOfScope } from './out-of-scope.ts';

interface Folders extends Tables {
  folder: Tables['folders'];
}

/** The condition of a Kysely query for folders (alias `folder`) in the key's resource scope. */
export function folderIsInScope(actor: Pick<Actor, 'organizationId' | 'resourceScope'>): Expression<SqlBool> {
  const eb = expressionBuilder<Folders, 'folder'>();
  const { resourceScope } = actor;
  if (resourceScope.mode === 'ALL') return eb.lit(true);
  if (resourceScope.mode === 'ASSIGNED') return eb.lit(false);
  const listed = eb('folder.id', '=', anyOf(resourceScope.folderIds));
  if (resourceScope.templateIds.length === 0) return listed;
  return eb.or([listed, eb.exists(templatesInside(eb, actor).select('inside.id'))]);
}

/**
 * The templates in a folder (alias `folder`) that the caller may use: all of them if the caller may use the folder,
 * else those that are listed.
 */
export function templatesInside(
  eb: ExpressionBuilder<Folders, 'folder'>,
  { organizationId, resourceScope }: Pick<Actor, 'organizationId' | 'resourceScope'>,
) {
  const inside = eb
    .selectFrom('templates as inside')
    .where('inside.organization_id', '=', organizationId)
    .whereRef('inside.folder_id', '=', 'folder.id')
    .where('inside.deleted_at', 'is', null);
  if (resourceScope.mode === 'ALL') return inside;
  if (resourceScope.mode === 'ASSIGNED') return inside.where(({ lit }) => lit(false));
  const { templateIds, folderIds } = resourceScope;
  return inside.where((own) =>
    own.or([own('folder.id', '=', anyOf(folderIds)), own('inside.id', '=', anyOf(templateIds))]),
  );
}

/** The 403 for a folder outside the key's resource scope. */
export function folderOutOfScope(actor: Actor) {
  return outOfScope(actor, 'grant access to this folder', 'use a key that lists it or has the resource mode ALL');
}

/** Throws a 403 if a new folder would be outside the key's resource scope. */
export function ensureMayCreateFolder(actor: Actor): void {
  if (actor.resourceScope.mode !== 'ALL') throw notAllowed(actor, 'creating folders');
}

/** Throws a 403 if the caller may only read folders: only keys that list folders may change them. */
export function ensureMayChangeFolders(actor: Actor): void {
  const { mode } = actor.resourceScope;
  if (mode !== 'ALL' && mode !== 'SELECTED_FOLDERS') throw notAllowed(actor, 'changing folders');
}

function notAllowed(actor: Actor, what: string) {
  return outOfScope(actor, `allow ${what}`, 'use a key with the resource mode ALL');
}

/** Throws a 403 if the key lists its templates, because a new one would be outside its resource scope. */
export function ensureMayCreateTemplate(actor: Actor): void {
  if (actor.resourceScope.mode !== 'SELECTED_TEMPLATES') return;
  throw outOfScope(actor, 'allow creating templates', 'use a key with another resource mode');
}

/** Throws a 403 if a template in this folder (null: in none) would be outside the caller's resource scope. */
export function ensureMayPlaceTemplate(actor: Actor, folderId: string | null): void {
  const { resourceScope } = actor;
  const { mode } = resourceScope;
  // A key that lists its templates keeps them wherever they are.
  if (mode === 'ALL' || mode === 'SELECTED_TEMPLATES') return;
  if (mode !== 'ASSIGNED' && folderId !== null && resourceScope.folderIds.includes(folderId)) return;
  const whose = mode === 'SELECTED_FOLDERS' ? "the key's folders" : 'the folders that are granted to you';
  throw outOfScope(actor, `allow templates outside ${whose}`, 'set folderId to one of them');
}
