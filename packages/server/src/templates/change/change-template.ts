import { isDeepStrictEqual } from 'node:util';
import { diff, type ProcessDocument } from '@runward/engine';
import { ensureVersion } from '../../access/ensure-version.ts';
import type { RequestContext } from '../../access/request-context.ts';
import { badRequest } from '../../api-error.ts';
import type { Template } from '../entities/template.ts';
import { loadDocument } from '../load-document.ts';
import { ensureDocumentSize } from './ensure-document-size.ts';

/**
 * Saves changes to a template as its next revision. If nothing differs, `updatedAt` and the revision stay. The caller
 * must hold the lock on the template.
 */
export async function changeTemplate(
  { em, now }: Pick<RequestContext, 'em' | 'now'>,
  template: Template,
  changes: Partial<Omit<Template, 'id' | 'organizationId' | 'revision' | 'createdAt' | 'updatedAt'>>,
): Promise<void> {
  const before = { ...template };
  if (isDeepStrictEqual({ ...before, ...changes }, before)) return;
  Object.assign(template, changes, { updatedAt: now, revision: before.revision + 1 });
  await em.flush();
}

/**
 * Stores a document as the draft, and records whether it differs from the published one. Throws a 400 if it is too
 * large.
 */
export async function storeDraft(context: RequestContext, template: Template, draft: ProcessDocument): Promise<void> {
  ensureDocumentSize(context, draft, template.draft);
  const { publishedVersionId } = template;
  const published = publishedVersionId
    ? await loadDocument(context.em, context.actor.organizationId, publishedVersionId)
    : null;
  const hasUnpublishedChanges = published === null || diff(published, draft).length > 0;
  await changeTemplate(context, template, { draft, hasUnpublishedChanges });
}

/** Throws a 412 unless the template has the version that `If-Match` requires. The caller must lock the template. */
export function ensureRevision(
  context: Pick<RequestContext, 'ifMatch'>,
  { revision }: Pick<Template, 'revision'>,
): void {
  ensureVersion(context, 'template', String(revision));
}

/** Throws a 400 if the template is archived, because the draft of an archived template cannot be changed. */
export function ensureNotArchived({ archivedAt }: Pick<Template, 'archivedAt'>): void {
  if (archivedAt) throw badRequest('template_archived', 'The template is archived; unarchive it first.');
}
