import type { ProcessDocument } from '@runward/engine';
import { templatesContaining } from '../../access/queries/templates-containing.ts';
import type { Em } from '../../database/database.ts';
import { readWithin, type Fitting } from '../../database/read-within.ts';

/** A template with its draft and its published version. */
export interface TemplateDocuments {
  readonly id: string;
  readonly draft: ProcessDocument;
  readonly document: ProcessDocument | null;
}

const batch = { limit: 100, bytes: 5_000_000 };

/** A batch of the templates after an id that contain a part of a document. */
export async function readTemplates(
  em: Em,
  organizationId: string,
  part: object,
  after: string | null,
): Promise<Fitting<TemplateDocuments>> {
  const all = templatesContaining(em, organizationId, [part]);
  const rest = after === null ? all : all.where('template.id', '>', after);
  const query = rest
    .select(['template.id', 'template.draft', 'version.document'])
    .orderBy('template.id')
    .limit(batch.limit + 1);
  return readWithin(em, query, batch);
}
