import type { Documents, ProcessDocument } from '@runward/engine';
import { LRUCache } from 'lru-cache';
import type { Em } from '../database/database.ts';
import { TemplateVersion } from './entities/template-version.ts';

/** Caches published documents of all organizations. They never change and their ids are globally unique, so entries never become stale. */
const cache = new LRUCache<string, ProcessDocument>({ max: 500 });

/** The document of a published version. The caller must have checked that the version belongs to the organization. */
export async function loadDocument(
  em: Em,
  organizationId: string,
  templateVersionId: string,
): Promise<ProcessDocument> {
  const cached = cache.get(templateVersionId);
  if (cached) return cached;
  const version = await em.findOneOrFail(
    TemplateVersion,
    { id: templateVersionId, organizationId },
    { populate: ['document'], disableIdentityMap: true },
  );
  cache.set(templateVersionId, version.document);
  return version.document;
}

/** The documents of published versions of the organization. */
export async function loadDocuments(
  em: Em,
  organizationId: string,
  templateVersionIds: readonly string[],
): Promise<Documents> {
  const documents = new Map<string, ProcessDocument>();
  for (const id of new Set(templateVersionIds)) documents.set(id, await loadDocument(em, organizationId, id));
  return (id) => {
    const document = documents.get(id);
    if (!document) throw new Error(`The document of the version ${id} was not loaded.`);
    return document;
  };
}
