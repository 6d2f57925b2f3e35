import type { RequestContext } from '../access/request-context.ts';
import { ensureMayChangeFolders, folderOutOfScope } from '../access/resource-scope/folders.ts';
import { found, notFound } from '../api-error.ts';
import { lockRow } from '../database/lock-row.ts';
import { Folder } from './entities/folder.ts';
import { readFolder, type FolderRow } from './queries/list-folders.ts';

/** A folder that the caller may see. Throws a 404 or 403. */
export async function findFolder({ em, actor }: Pick<RequestContext, 'em' | 'actor'>, id: string): Promise<FolderRow> {
  const { isInScope, ...folder } = found(await readFolder(em, actor, id), 'Folder');
  if (!isInScope) throw folderOutOfScope(actor);
  return folder;
}

/** A folder that the caller may change, locked until the transaction ends. Throws a 404 or 403. */
export async function lockFolder(context: Pick<RequestContext, 'em' | 'actor'>, id: string): Promise<FolderRow> {
  const { em, actor } = context;
  if (!(await lockRow(em, Folder, { organizationId: actor.organizationId, id }, 'update'))) throw notFound('Folder');
  ensureMayChangeFolders(actor);
  return findFolder(context, id);
}
