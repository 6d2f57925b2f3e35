import { sql } from 'kysely';
import type { Actor } from '../../access/actor.ts';
import type { Em } from '../../database/database.ts';

/** A folder and how many templates inside the caller reaches; `createdAt` as PostgreSQL writes it. */
export interface FolderRow {
  readonly id: string;
  readonly name: string;
  readonly templateCount: number;
  readonly createdAt: string;
}

type Caller = Pick<Actor, 'organizationId' | 'resourceScope'>;

/** Up to `limit` + 1 folders the caller reaches, by name and id, and how many there are in all. */
export async function listFolders(
  em: Em,
  caller: Caller,
  { limit, after }: { limit: number; after: readonly [name: string, id: string] | null },
): Promise<{ rows: FolderRow[]; total: number }> {
  const reached = sql`from folders folder where folder.organization_id = ${caller.organizationId} and ${isReached(caller)}`;
  const { rows } = await sql<{ total: number; folders: FolderRow[] | null }>`
    select (select count(*)::int ${reached}) as total, (select json_agg(page) from (
      select ${columns(caller)} ${reached} ${after ? sql`and (name, id) > (${after[0]}, ${after[1]})` : sql``}
      order by name, id limit ${limit + 1}) page) as folders
  `.execute(em.getKysely());
  return { rows: rows[0]?.folders ?? [], total: rows[0]?.total ?? 0 };
}

/** A folder of the organization, whether or not the caller reaches it, or null. */
export async function readFolder(
  em: Em,
  caller: Caller,
  id: string,
): Promise<(FolderRow & { reached: boolean }) | null> {
  const { rows } = await sql<FolderRow & { reached: boolean }>`
    select ${columns(caller)}, ${isReached(caller)} as reached
    from folders folder where id = ${id} and organization_id = ${caller.organizationId}
  `.execute(em.getKysely());
  return rows[0] ?? null;
}

function columns(caller: Caller) {
  return sql`
    folder.id, folder.name, folder.created_at as "createdAt", (select count(*)::int ${inside(caller)}) as "templateCount"`;
}

function isReached(caller: Caller) {
  const { resourceScope } = caller;
  if (resourceScope.mode === 'SELECTED_FOLDERS') return sql`folder.id = any(${resourceScope.folderIds}::uuid[])`;
  if (resourceScope.mode === 'SELECTED_TEMPLATES') return sql`exists (select ${inside(caller)})`;
  return sql`true`;
}

/** The templates inside that the caller reaches; a key that lists the folder reaches all of them. */
function inside({ resourceScope }: Caller) {
  return sql`
    from templates template where template.organization_id = folder.organization_id and template.folder_id = folder.id
      and template.deleted_at is null
      ${resourceScope.mode === 'SELECTED_TEMPLATES' ? sql`and template.id = any(${resourceScope.templateIds}::uuid[])` : sql``}`;
}
