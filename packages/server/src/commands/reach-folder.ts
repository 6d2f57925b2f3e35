import type { Actor } from '../access/actor.ts';
import type { Scene } from '../api/handler.ts';
import { findFolder, type FolderRow } from '../db/queries/list-folders.ts';
import { lockFolder } from '../db/queries/lock-row.ts';
import { forbidden, found, notFound } from '../fault.ts';

/** A folder the caller may see. Throws a 404 or 403. */
export async function reachFolder({ em, actor }: Pick<Scene, 'em' | 'actor'>, id: string): Promise<FolderRow> {
  const { reached, ...folder } = found(await findFolder(em, actor, id), 'Folder');
  if (!reached) {
    throw forbidden(
      `The API key's resource mode ${actor.reach.mode} does not grant this folder; use a key that lists it or has the mode ALL.`,
    );
  }
  return folder;
}

/** A folder the caller may change, locked until the transaction ends. Throws a 404 or 403. */
export async function lockReachedFolder(scene: Pick<Scene, 'em' | 'actor'>, id: string): Promise<FolderRow> {
  const { em, actor } = scene;
  if (!(await lockFolder(em, actor.organizationId, id, 'changes'))) throw notFound('Folder');
  if (actor.reach.mode === 'SELECTED_TEMPLATES') throw ungranted(actor, 'changes of folders');
  return reachFolder(scene, id);
}

/** Throws a 403 where a new folder would be outside of the key's reach. */
export function ensureMayCreateFolder({ actor }: Pick<Scene, 'actor'>): void {
  if (actor.reach.mode !== 'ALL') throw ungranted(actor, 'new folders');
}

function ungranted({ reach }: Actor, what: string) {
  return forbidden(`The API key's resource mode ${reach.mode} does not grant ${what}; use a key with the mode ALL.`);
}
