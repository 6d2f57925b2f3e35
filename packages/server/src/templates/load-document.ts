import {
  searchableSources,
  type Documents,
  type ProcessDocument,
  type SearchableSource,
  type TaskDefinition,
} from '@runward/engine';
import type { Caches } from '../caches.ts';
import type { Em } from '../database/database.ts';
import { TemplateVersion } from './entities/template-version.ts';

/** A published version of a template, with its document, and with what that marks as searchable. */
export interface LoadedVersion extends Pick<TemplateVersion, 'organizationId' | 'templateId' | 'number' | 'document'> {
  readonly searchable: readonly SearchableSource[];
}

/** The versions that were read last. They never change and their ids are globally unique, so no entry becomes stale. */
const versionCache = (caches: Caches) =>
  caches.create<LoadedVersion>('documents', { sizeOf: ({ document }) => memoryOf(document) });

/** The most bytes that the documents of runs may take that are worked on together. */
const batchBytes = 20_000_000;

/** Estimates a document's bytes, with a margin: measured ones took 1.0 to 2.1 bytes per character of their JSON. */
function memoryOf(document: ProcessDocument): number {
  return 1_000 + 2.2 * JSON.stringify(document).length;
}

/** Returns a function that takes the documents of a batch of runs and returns whether they fill it. */
export function fillBatch(): (document: ProcessDocument) => boolean {
  const documents = new Set<ProcessDocument>();
  let bytes = 0;
  return (document) => {
    if (!documents.has(document)) bytes += memoryOf(document);
    documents.add(document);
    return bytes >= batchBytes;
  };
}

/** A published version of the organization with its document, or null. */
export async function findVersionWithDocument(
  em: Em,
  organizationId: string,
  id: string,
): Promise<LoadedVersion | null> {
  const cache = em.shared(versionCache);
  const cached = cache.get(id);
  if (cached) return cached.organizationId === organizationId ? cached : null;
  const version = await em.findOne(
    TemplateVersion,
    { id, organizationId },
    { fields: ['templateId', 'number', 'document'], disableIdentityMap: true },
  );
  if (!version) return null;
  const { templateId, number, document } = version;
  const loaded = { organizationId, templateId, number, document, searchable: searchableSources(document) };
  cache.set(id, loaded);
  return loaded;
}

/** The document of a published version of the organization. */
export async function loadDocument(
  em: Em,
  organizationId: string,
  templateVersionId: string,
): Promise<ProcessDocument> {
  const version = await findVersionWithDocument(em, organizationId, templateVersionId);
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

/** A task of a run, and the version that has its definition. */
export interface DefinedTask {
  readonly id: string;
  readonly taskId: string;
  readonly versionId: string;
}

/**
 * The definitions of tasks of runs, by the ids of the tasks. Their versions can be many, so that one document after the
 * other is read and left again.
 */
export async function loadDefinitions(
  em: Em,
  organizationId: string,
  tasks: readonly DefinedTask[],
): Promise<ReadonlyMap<string, TaskDefinition>> {
  const definitions = new Map<string, TaskDefinition>();
  for (const [versionId, defined] of Map.groupBy(tasks, ({ versionId }) => versionId)) {
    const document = await loadDocument(em, organizationId, versionId);
    const byId = new Map(document.tasks.map((task) => [task.id, task]));
    for (const { id, taskId } of defined) {
      const definition = byId.get(taskId);
      if (!definition) throw new Error(`The version ${versionId} does not contain the task ${taskId} of a run.`);
      definitions.set(id, definition);
    }
  }
  return definitions;
}

/** What a published version of the organization marks as searchable. Nothing, if there is no version. */
export async function loadSearchable(
  em: Em,
  organizationId: string,
  templateVersionId: string | null,
): Promise<readonly SearchableSource[]> {
  if (templateVersionId === null) return [];
  return (await findVersionWithDocument(em, organizationId, templateVersionId))?.searchable ?? [];
}
