import { sql } from 'kysely';
import type { Em } from '../../database/database.ts';
import type { Named } from '../entities/portal-page.ts';
import type { ReportPreset } from '../entities/report-preset.ts';

/** The pages whose draft or published blocks show a report preset, with the names of their portals. */
export async function findPagesWithPreset(
  em: Em,
  { organizationId, id }: Pick<ReportPreset, 'organizationId' | 'id'>,
): Promise<{ title: string; portal: string; portalId: string }[]> {
  const named = sql<Named>`${JSON.stringify({ presetIds: [id] })}::jsonb`;
  return em
    .getKysely()
    .selectFrom('portal_pages as page')
    .innerJoin('portals as portal', (join) =>
      join.onRef('portal.organization_id', '=', 'page.organization_id').onRef('portal.id', '=', 'page.portal_id'),
    )
    .where('page.organization_id', '=', organizationId)
    .where((eb) => eb.or([eb('page.named', '@>', named), eb('page.published_named', '@>', named)]))
    .select(['page.title', 'portal.name as portal', 'portal.id as portalId'])
    .orderBy('portal.name')
    .orderBy('page.position')
    .execute();
}
