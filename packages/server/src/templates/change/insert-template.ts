import type { RequestContext } from '../../access/request-context.ts';
import { newId } from '../../ids.ts';
import { Template } from '../entities/template.ts';
import { ensureDocumentSize } from './ensure-document-size.ts';

/** The content of a new template. */
export type NewTemplate = Pick<Template, 'name' | 'description' | 'folderId' | 'runTitlePattern' | 'draft'>;

/**
 * Stores a new, unpublished template of the caller's organization. The caller must have checked its folder. Throws a
 * 400 if its draft is too large.
 */
export async function insertTemplate(
  { em, actor, now, ports }: RequestContext,
  template: NewTemplate,
): Promise<Template> {
  ensureDocumentSize({ ports }, template.draft);
  const inserted = em.create(Template, {
    ...template,
    id: newId(),
    organizationId: actor.organizationId,
    hasUnpublishedChanges: true,
    publishedVersionId: null,
    backgroundAssetId: null,
    revision: 1,
    archivedAt: null,
    deletedAt: null,
    createdAt: now,
    updatedAt: now,
  });
  await em.flush();
  return inserted;
}
