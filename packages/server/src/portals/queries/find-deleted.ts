import type { FilterSet } from '@runward/contract';
import type { Em } from '../../database/database.ts';
import { anyOf } from '../../database/expressions.ts';

/** Returns which kinds of records that filters name were deleted. */
export type Deleted = (filters: FilterSet) => ('TEMPLATE_DELETED' | 'FOLDER_DELETED')[];

/** Finds which of the templates and folders that filters name were deleted. */
export async function findDeleted(em: Em, organizationId: string, filters: readonly FilterSet[]): Promise<Deleted> {
  const templateIds = filters.flatMap((each) => each.templateIds ?? []);
  const folderIds = filters.flatMap((each) => each.folderIds ?? []);
  const templates = em
    .getKysely()
    .selectFrom('templates as template')
    .where('template.organization_id', '=', organizationId)
    .where('template.id', '=', anyOf(templateIds))
    .where('template.deleted_at', 'is', null)
    .select('template.id');
  const folders = em
    .getKysely()
    .selectFrom('folders as folder')
    .where('folder.organization_id', '=', organizationId)
    .where('folder.id', '=', anyOf(folderIds))
    .select('folder.id');
  const isNamed = templateIds.length + folderIds.length > 0;
  const rows = isNamed ? await templates.unionAll(folders).execute() : [];
  const present = new Set(rows.map(({ id }) => id));
  const isMissing = (ids: readonly string[] = []) => ids.some((id) => !present.has(id));
  return (each) => [
    ...(isMissing(each.templateIds) ? (['TEMPLATE_DELETED'] as const) : []),
    ...(isMissing(each.folderIds) ? (['FOLDER_DELETED'] as const) : []),
  ];
}
