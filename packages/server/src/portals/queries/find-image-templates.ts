import type { Em } from '../../database/database.ts';
import { anyOf } from '../../database/expressions.ts';

/** The template of an image. */
export interface ImageTemplate {
  readonly id: string;
  readonly folderId: string | null;
}

/** The templates of images, by the ids of the images. */
export async function findImageTemplates(
  em: Em,
  organizationId: string,
  assetIds: readonly string[],
): Promise<ReadonlyMap<string, ImageTemplate>> {
  const rows = await em
    .getKysely()
    .selectFrom('template_assets as asset')
    .innerJoin('templates as template', (join) =>
      join
        .onRef('template.organization_id', '=', 'asset.organization_id')
        .onRef('template.id', '=', 'asset.template_id'),
    )
    .where('asset.organization_id', '=', organizationId)
    .where('asset.id', '=', anyOf(assetIds))
    .select(['asset.id as assetId', 'template.id', 'template.folder_id as folderId'])
    .execute();
  return new Map(rows.map(({ assetId, ...template }) => [assetId, template]));
}
