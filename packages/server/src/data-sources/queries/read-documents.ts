import { activeRunStatuses, type ProcessDocument } from '@runward/engine';
import { sql } from 'kysely';
import { templatesContaining } from '../../access/queries/templates-containing.ts';
import type { Em } from '../../database/database.ts';
import { readWithin, type Fitting } from '../../database/read-within.ts';

/** Documents of a template. Reading goes on after `id`. */
export interface TemplateDocuments {
  readonly id: string;
  readonly templateId: string;
  readonly document: ProcessDocument | null;
  readonly draft: ProcessDocument | null;
}

/** Reads a batch of documents of an organization that contain a part, after an id. */
export type ReadDocuments = (
  em: Em,
  organizationId: string,
  part: object,
  after: string | null,
) => Promise<Fitting<TemplateDocuments>>;

const batch = { limit: 100, bytes: 5_000_000 };

/** Reads drafts and published versions, by template. */
export const readTemplates: ReadDocuments = (em, organizationId, part, after) => {
  const all = templatesContaining(em, organizationId, [part]);
  const rest = after === null ? all : all.where('template.id', '>', after);
  const query = rest
    .select(['template.id', 'template.id as templateId', 'version.document', 'template.draft'])
    .orderBy('template.id')
    .limit(batch.limit + 1);
  return readWithin(em, query, batch);
};

/** Reads the versions that active runs follow. */
export const readFollowedVersions: ReadDocuments = (em, organizationId, part, after) => {
  const followed = em
    .getKysely()
    .selectFrom('runs')
    .where('organization_id', '=', organizationId)
    .where('status', 'in', activeRunStatuses)
    .select('template_version_id');
  const all = em
    .getKysely()
    .selectFrom('template_versions as version')
    .where('version.organization_id', '=', organizationId)
    .where('version.id', 'in', followed)
    .where('version.document', '@>', sql<ProcessDocument>`${JSON.stringify(part)}::jsonb`);
  const rest = after === null ? all : all.where('version.id', '>', after);
  const query = rest
    .select(['version.id', 'version.template_id as templateId', 'version.document', sql<null>`null`.as('draft')])
    .orderBy('version.id')
    .limit(batch.limit + 1);
  return readWithin(em, query, batch);
};
