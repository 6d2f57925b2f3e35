import type { Actor } from '../access/actor.ts';
import type { RequestContext } from '../access/request-context.ts';
import { readFolder, type FolderRow } from './queries/list-folders.ts';
import { lockFolder } from '../access/lock-row.ts';
import { forbidden, found, notFound } from '../api-error.ts';

/** A folder the caller may see. Throws a 404 or 403. */
export async function findFolder({ em, actor }: Pick<RequestContext, 'em' | 'actor'>, id: string): Promise<FolderRow> {
  const { reached, ...folder } = found(await readFolder(em, actor, id), 'Folder');
  if (!reached) {
    throw forbidden(
      `The API key's resource mode ${actor.resourceScope.mode} does not grant access to this folder; use a key that lists it or has the resource mode ALL.`,
    );
  }
  return folder;
}

/** A folder the caller may change, locked until the transaction ends. Throws a 404 or 403. */
export async function lockFolderInScope(context: Pick<RequestContext, 'em' | 'actor'>, id: string): Promise<FolderRow> {
  const { em, actor } = context;
  if (!(await lockFolder(em, actor.organizationId, id, 'changes'))) throw notFound('Folder');
  if (actor.resourceScope.mode === 'SELECTED_TEMPLATES') throw notAllowed(actor, 'changing folders');
  return findFolder(context, id);
}

/** Throws a 403 where a new folder would be outside the key's scope. */
export function ensureMayCreateFolder({ actor }: Pick<RequestContext, 'actor'>): void {
  if (actor.resourceScope.mode !== 'ALL') throw notAllowed(actor, 'creating folders');
}

function notAllowed({ resourceScope }: Actor, what: string) {
  return forbidden(
    `The API key's resource mode ${resourceScope.mode} does not allow ${what}; use a key with the resource mode ALL.`,
  );
}
