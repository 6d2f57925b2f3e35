import type { ProcessDocument } from '@runward/engine';
import { LRUCache } from 'lru-cache';
import type { Em } from '../database/database.ts';
import { TemplateVersion } from './entities/template-version.ts';

/** Published documents never change and their ids are unique in the world, so that any process may keep what it has read. */
const known = new LRUCache<string, ProcessDocument>({ max: 500 });

/** The document of a published version. The caller has made sure that the version belongs to the organization. */
export async function loadDocument(
  em: Em,
  organizationId: string,
  templateVersionId: string,
): Promise<ProcessDocument> {
  const cached = known.get(templateVersionId);
  if (cached) return cached;
  const version = await em.findOneOrFail(
    TemplateVersion,
    { id: templateVersionId, organizationId },
    { populate: ['document'], disableIdentityMap: true },
  );
  known.set(templateVersionId, version.document);
  return version.document;
}
