import type { ProcessDocument } from '@runward/engine';
import { sql } from 'kysely';
import type { Em } from '../../database/database.ts';

/** The newest version of a template that is not deleted whose document contains a part; undefined if there is none. */
export function findOlderVersion(
  em: Em,
  organizationId: string,
  part: object,
): Promise<{ id: string; document: ProcessDocument } | undefined> {
  return em
    .getKysely()
    .selectFrom('template_versions as version')
    .innerJoin('templates as template', (join) =>
      join
        .onRef('template.organization_id', '=', 'version.organization_id')
        .onRef('template.id', '=', 'version.template_id'),
    )
    .where('version.organization_id', '=', organizationId)
    .where('template.deleted_at', 'is', null)
    .where('version.document', '@>', sql<ProcessDocument>`${JSON.stringify(part)}::jsonb`)
    .orderBy('version.number', 'desc')
    .select(['template.id', 'version.document'])
    .executeTakeFirst();
}
