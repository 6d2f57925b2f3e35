import type { Actor } from './actor.ts';
import type { RequestContext } from './request-context.ts';
import { lockFolder } from './lock-row.ts';
import { badRequest, forbidden } from '../api-error.ts';

/** Throws a 403 where the key lists the templates it reaches: a new one would be outside. */
export function ensureMayCreate({ resourceScope }: Actor): void {
  if (resourceScope.mode === 'SELECTED_TEMPLATES') {
    throw forbidden(
      "The API key's resource mode SELECTED_TEMPLATES does not allow creating templates; use a key with another resource mode.",
    );
  }
}

/**
 * Throws where a template cannot lie in that folder (null: in none): a 403 where the key would not reach it there, a 400 where
 * the organization has no such folder. The folder cannot be deleted before the transaction ends.
 */
export async function ensureFolder(
  { em, actor: { organizationId, resourceScope } }: Pick<RequestContext, 'em' | 'actor'>,
  folderId: string | null,
): Promise<void> {
  if (resourceScope.mode === 'SELECTED_FOLDERS' && (folderId === null || !resourceScope.folderIds.includes(folderId))) {
    throw forbidden(
      "The API key's resource mode SELECTED_FOLDERS does not allow templates outside the key's folders; set folderId to one of them.",
    );
  }
  if (folderId !== null && !(await lockFolder(em, organizationId, folderId, 'uses'))) {
    throw badRequest(['folderId: not a folder of this organization; see GET /folders, or send null']);
  }
}
