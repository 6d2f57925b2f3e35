import { badRequest } from '../api-error.ts';
import { lockRow } from '../database/lock-row.ts';
import { Folder } from '../organization/entities/folder.ts';
import type { RequestContext } from './request-context.ts';
import { ensureMayPlaceTemplate } from './resource-scope/folders.ts';

/**
 * Throws if a template cannot be in this folder (null: in none): a 403 if the template would be outside the key's
 * resource scope, a 400 if the organization has no such folder. The folder cannot be deleted before the transaction
 * ends.
 */
export async function ensureFolder(
  { em, actor }: Pick<RequestContext, 'em' | 'actor'>,
  folderId: string | null,
): Promise<void> {
  ensureMayPlaceTemplate(actor, folderId);
  const { organizationId } = actor;
  if (folderId !== null && !(await lockRow(em, Folder, { organizationId, id: folderId }, 'key share'))) {
    throw badRequest(['folderId: not a folder of this organization; see GET /folders, or send null']);
  }
}
