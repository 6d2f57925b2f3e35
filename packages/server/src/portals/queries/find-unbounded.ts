import { sql } from 'kysely';
import type { Em } from '../../database/database.ts';
import { anyOf } from '../../database/expressions.ts';

/**
 * Those of the portals with a block that shows runs of other templates than it names: its filters name no template, and
 * either no folder or one of which the caller may not use all templates.
 */
export async function findUnbounded(
  em: Em,
  organizationId: string,
  portalIds: readonly string[],
  wholeFolderIds: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await em
    .getKysely()
    .selectFrom('portal_pages as page')
    .where('page.organization_id', '=', organizationId)
    .where('page.portal_id', '=', anyOf(portalIds))
    .where(
      sql<boolean>`exists (
        select from jsonb_array_elements(page.blocks || coalesce(page.published_blocks, '[]')) block
        left join report_presets preset
          on preset.organization_id = page.organization_id and preset.id = (block ->> 'presetId')::uuid
        cross join coalesce(block -> 'filters', block -> 'report' -> 'filters', preset.report -> 'filters') filters
        where not filters @? '$.templateIds[*]' and (not filters @? '$.folderIds[*]' or exists (
          select from jsonb_array_elements_text(filters -> 'folderIds') folder_id
          where folder_id::uuid <> all (${wholeFolderIds}::uuid[]))))`,
    )
    .select('page.portal_id as id')
    .execute();
  return new Set(rows.map(({ id }) => id));
}
