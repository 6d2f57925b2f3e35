import type { FilterSet } from '@runward/contract';
import type { Actor } from '../access/actor.ts';
import { outOfScope } from '../access/resource-scope/out-of-scope.ts';

/**
 * Whether the caller may use these folders as a whole. A block shows its readers all runs of a folder, also those of
 * templates that the caller may not read.
 */
export function holdsFolders({ resourceScope }: Actor, folderIds: readonly string[]): boolean {
  if (resourceScope.mode === 'ALL') return true;
  return resourceScope.mode !== 'ASSIGNED' && folderIds.every((id) => resourceScope.folderIds.includes(id));
}

/** Throws a 403 if a block with these filters would show its readers more runs than the caller may read. */
export function ensureMayShow(actor: Actor, { templateIds = [], folderIds = [] }: FilterSet): void {
  if (actor.resourceScope.mode === 'ALL') return;
  if (templateIds.length + folderIds.length > 0 && holdsFolders(actor, folderIds)) return;
  throw outOfScope(
    actor,
    'grant access to all runs that this block shows',
    'name templates or folders that the key lists in its filters',
  );
}
