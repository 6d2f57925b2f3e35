import { sql } from 'kysely';
import type { Em } from '../../database/database.ts';
import { anyOf } from '../../database/expressions.ts';

/** Those of the portals that show runs of all templates, because a block's filters name no template and no folder. */
export async function findUnbounded(
  em: Em,
  organizationId: string,
  portalIds: readonly string[],
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
        where not filters @? '$.templateIds[*]' and not filters @? '$.folderIds[*]')`,
    )
    .select('page.portal_id as id')
    .execute();
  return new Set(rows.map(({ id }) => id));
}
