import type { Documents, ProcessDocument } from '@runward/engine';
import { LRUCache } from 'lru-cache';
import type { Em } from '../database/database.ts';
import { TemplateVersion } from './entities/template-version.ts';

/** A published version of a template, with its document. */
export type LoadedVersion = Pick<TemplateVersion, 'organizationId' | 'templateId' | 'number' | 'document'>;

/** Caches published versions of all organizations. They never change and their ids are globally unique, so entries never become stale. */
const cache = new LRUCache<string, LoadedVersion>({ max: 500 });

/** A published version of the organization, or null. */
export async function findVersion(em: Em, organizationId: string, id: string): Promise<LoadedVersion | null> {
  const cached = cache.get(id);
  if (cached) return cached.organizationId === organizationId ? cached : null;
  const version = await em.findOne(
    TemplateVersion,
    { id, organizationId },
    { fields: ['templateId', 'number', 'document'], disableIdentityMap: true },
  );
  if (!version) return null;
  const { templateId, number, document } = version;
  const loaded = { organizationId, templateId, number, document };
  cache.set(id, loaded);
  return loaded;
}

/** The document of a published version of the organization. */
export async function loadDocument(
  em: Em,
  organizationId: string,
  templateVersionId: string,
): Promise<ProcessDocument> {
  const version = await findVersion(em, organizationId, templateVersionId);
  if (!version) throw new Error(`There is no version ${templateVersionId}.`);
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
