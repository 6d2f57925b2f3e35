import { isDeepStrictEqual } from 'node:util';
import type { ProcessDocument } from '@runward/engine';
import type { Scene } from '../api/handler.ts';
import { loadDocument } from '../db/documents.ts';
import type { Template } from '../db/entities/template.ts';
import { badRequest } from '../fault.ts';

/** Writes what differs; a change that changes nothing leaves `updatedAt` alone. The caller holds the template's lock. */
export async function changeTemplate(
  { em, now }: Pick<Scene, 'em' | 'now'>,
  template: Template,
  changes: Partial<Omit<Template, 'id' | 'organizationId' | 'createdAt' | 'updatedAt'>>,
): Promise<void> {
  const before = { ...template };
  if (isDeepStrictEqual({ ...before, ...changes }, before)) return;
  Object.assign(template, changes, { updatedAt: now });
  await em.flush();
}

/** Makes a document the draft and notes whether it differs from what is published. */
export async function storeDraft(scene: Scene, template: Template, draft: ProcessDocument): Promise<void> {
  const { publishedVersionId } = template;
  const published = publishedVersionId
    ? await loadDocument(scene.em, scene.actor.organizationId, publishedVersionId)
    : null;
  await changeTemplate(scene, template, { draft, hasUnpublishedChanges: !isDeepStrictEqual(draft, published) });
}

/** Throws a 400 where the template is archived: its draft stays as it is. */
export function ensureNotArchived({ archivedAt }: Pick<Template, 'archivedAt'>): void {
  if (archivedAt) throw badRequest('The template is archived; unarchive it first.');
}
