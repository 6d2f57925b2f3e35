import type { Em } from '../../database/database.ts';
import { anyOf } from '../../database/expressions.ts';
import type { Actor } from '../actor.ts';
import { folderIsInScope } from '../resource-scope/folders.ts';

/** The folders with these ids that the organization has, and whether each is in the caller's resource scope. */
export async function findFolders(
  em: Em,
  actor: Actor,
  ids: readonly string[],
): Promise<{ id: string; isInScope: boolean }[]> {
  return em
    .getKysely()
    .selectFrom('folders as folder')
    .where('folder.organization_id', '=', actor.organizationId)
    .where('folder.id', '=', anyOf(ids))
    .select((eb) => [
      'folder.id',
      eb
        .and([folderIsInScope(actor)])
        .$castTo<boolean>()
        .as('isInScope'),
    ])
    .execute();
}
