import { expressionBuilder, type Expression, type ExpressionBuilder, type SqlBool } from 'kysely';
import { forbidden } from '../../api-error.ts';
import { anyOf } from '../../database/expressions.ts';
import type { Tables } from '../../database/tables.ts';
import type { Actor } from '../actor.ts';

interface Folders extends Tables {
  folder: Tables['folders'];
}

/** The condition of a Kysely query for folders (alias `folder`) in the key's resource scope. */
export function folderIsInScope(actor: Pick<Actor, 'organizationId' | 'resourceScope'>): Expression<SqlBool> {
  const eb = expressionBuilder<Folders, 'folder'>();
  const { resourceScope } = actor;
  if (resourceScope.mode === 'SELECTED_FOLDERS') return eb('folder.id', '=', anyOf(resourceScope.folderIds));
  if (resourceScope.mode === 'SELECTED_TEMPLATES') return eb.exists(templatesInside(eb, actor).select('inside.id'));
  return eb.lit(true);
}

/** The templates in a folder (alias `folder`) that the key may use. A key that lists the folder may use all of them. */
export function templatesInside(
  eb: ExpressionBuilder<Folders, 'folder'>,
  { organizationId, resourceScope }: Pick<Actor, 'organizationId' | 'resourceScope'>,
) {
  const inside = eb
    .selectFrom('templates as inside')
    .where('inside.organization_id', '=', organizationId)
    .whereRef('inside.folder_id', '=', 'folder.id')
    .where('inside.deleted_at', 'is', null);
  return resourceScope.mode === 'SELECTED_TEMPLATES'
    ? inside.where('inside.id', '=', anyOf(resourceScope.templateIds))
    : inside;
}

/** The 403 for a folder outside the key's resource scope. */
export function folderOutOfScope({ resourceScope }: Actor) {
  return forbidden(
    `The API key's resource mode ${resourceScope.mode} does not grant access to this folder; use a key that lists it or has the resource mode ALL.`,
  );
}

/** Throws a 403 if a new folder would be outside the key's resource scope. */
export function ensureMayCreateFolder(actor: Actor): void {
  if (actor.resourceScope.mode !== 'ALL') throw notAllowed(actor, 'creating folders');
}

/** Throws a 403 if the key may only read folders. */
export function ensureMayChangeFolders(actor: Actor): void {
  if (actor.resourceScope.mode === 'SELECTED_TEMPLATES') throw notAllowed(actor, 'changing folders');
}

function notAllowed({ resourceScope }: Actor, what: string) {
  return forbidden(
    `The API key's resource mode ${resourceScope.mode} does not allow ${what}; use a key with the resource mode ALL.`,
  );
}

/** Throws a 403 if the key lists its templates, because a new one would be outside its resource scope. */
export function ensureMayCreateTemplate({ resourceScope }: Actor): void {
  if (resourceScope.mode === 'SELECTED_TEMPLATES') {
    throw forbidden(
      "The API key's resource mode SELECTED_TEMPLATES does not allow creating templates; use a key with another resource mode.",
    );
  }
}

/** Throws a 403 if a template in this folder (null: in none) would be outside the key's resource scope. */
export function ensureMayPlaceTemplate({ resourceScope }: Actor, folderId: string | null): void {
  if (resourceScope.mode === 'SELECTED_FOLDERS' && (folderId === null || !resourceScope.folderIds.includes(folderId))) {
    throw forbidden(
      "The API key's resource mode SELECTED_FOLDERS does not allow templates outside the key's folders; set folderId to one of them.",
    );
  }
}
