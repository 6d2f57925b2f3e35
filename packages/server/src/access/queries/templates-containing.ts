import type { ProcessDocument } from '@runward/engine';
import { sql } from 'kysely';
import type { Em } from '../../database/database.ts';

/**
 * Selects the templates of an organization whose draft, or the published version that launches use, contains one of
 * these parts of a document. Omits deleted templates.
 */
export function templatesContaining(em: Em, organizationId: string, parts: readonly object[]) {
  const contained = parts.map((part) => sql<ProcessDocument>`${JSON.stringify(part)}::jsonb`);
  return em
    .getKysely()
    .selectFrom('templates as template')
    .leftJoin('template_versions as version', (join) =>
      join
        .onRef('version.organization_id', '=', 'template.organization_id')
        .onRef('version.id', '=', 'template.published_version_id'),
    )
    .where('template.organization_id', '=', organizationId)
    .where('template.deleted_at', 'is', null)
    .where((eb) =>
      eb.or(contained.flatMap((part) => [eb('template.draft', '@>', part), eb('version.document', '@>', part)])),
    );
}
