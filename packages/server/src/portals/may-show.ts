import type { FilterSet } from '@runward/contract';
import type { Actor } from '../access/actor.ts';
import { outOfScope } from '../access/resource-scope/out-of-scope.ts';

/** The folders that the caller may use as a whole: all of their templates are in the resource scope. */
export function wholeFolders({ resourceScope }: Actor): readonly string[] {
  return 'folderIds' in resourceScope ? resourceScope.folderIds : [];
}

/**
 * Throws a 403 if a block with these filters would show its readers more runs than the caller may read. The named
 * templates and folders are in the resource scope, but of a folder perhaps only some templates.
 */
export function ensureMayShow(actor: Actor, { templateIds = [], folderIds = [] }: FilterSet): void {
  if (actor.resourceScope.mode === 'ALL' || templateIds.length > 0) return;
  const whole = wholeFolders(actor);
  if (folderIds.length > 0 && folderIds.every((id) => whole.includes(id))) return;
  throw outOfScope(
    actor,
    'grant access to all runs that this block shows',
    'name templates or folders that the key lists in its filters',
  );
}
