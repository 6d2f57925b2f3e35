import type { Actor } from '../../access/actor.ts';
import { folderIsInScope, templatesInside } from '../../access/resource-scope/folders.ts';
import type { Em } from '../../database/database.ts';
import { countAs } from '../../database/expressions.ts';

/** A folder with the number of templates in it that the caller may use. `createdAt` is in PostgreSQL's text format. */
export interface FolderRow {
  readonly id: string;
  readonly name: string;
  readonly templateCount: number;
  readonly createdAt: string;
}

type Caller = Pick<Actor, 'organizationId' | 'resourceScope'>;

/** Up to `limit` + 1 folders in the caller's resource scope, by name and id, and the number of all of them. */
export async function listFolders(
  em: Em,
  caller: Caller,
  { limit, after }: { limit: number; after: readonly [name: string, id: string] | null },
): Promise<{ rows: FolderRow[]; total: number }> {
  const inScope = folders(em, caller).where(folderIsInScope(caller));
  const { total } = await inScope.select(countAs('total')).executeTakeFirstOrThrow();
  const rest = after
    ? inScope.where(({ eb, refTuple, tuple }) => eb(refTuple('folder.name', 'folder.id'), '>', tuple(...after)))
    : inScope;
  const rows = await withColumns(rest, caller)
    .orderBy('folder.name')
    .orderBy('folder.id')
    .limit(limit + 1)
    .execute();
  return { rows, total };
}

/** A folder of the organization, or null, and whether it is in the caller's resource scope. */
export async function readFolder(
  em: Em,
  caller: Caller,
  id: string,
): Promise<(FolderRow & { isInScope: boolean }) | null> {
  const folder = await withColumns(folders(em, caller).where('folder.id', '=', id), caller)
    .select(({ eb }) => eb.cast<boolean>(folderIsInScope(caller), 'boolean').as('isInScope'))
    .executeTakeFirst();
  return folder ?? null;
}

function folders(em: Em, { organizationId }: Caller) {
  return em.getKysely().selectFrom('folders as folder').where('folder.organization_id', '=', organizationId);
}

function withColumns(query: ReturnType<typeof folders>, caller: Caller) {
  return query.select((eb) => [
    'folder.id',
    'folder.name',
    'folder.created_at as createdAt',
    templatesInside(eb, caller).select(countAs('count')).$asScalar().$notNull().as('templateCount'),
  ]);
}
