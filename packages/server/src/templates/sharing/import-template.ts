import type { Contract, Response } from '@runward/contract';
import { detachDocument, duplicateDocument, type DroppedPart } from '@runward/engine';
import { ensureFolder } from '../../access/ensure-folder.ts';
import type { TemplateSettings } from '../../access/find-template.ts';
import { hashLinkToken } from '../../access/links/link-token.ts';
import type { RequestContext } from '../../access/request-context.ts';
import { ensureMayCreateTemplate } from '../../access/resource-scope/folders.ts';
import { found } from '../../api-error.ts';
import { lockRow } from '../../database/lock-row.ts';
import { newId } from '../../ids.ts';
import { beginWriting } from '../../organization/moves/ensure-served.ts';
import { insertTemplate } from '../change/insert-template.ts';
import { TemplateVersion } from '../entities/template-version.ts';
import { Template } from '../entities/template.ts';
import { copyBackgroundImage } from '../images/background-image.ts';
import { loadDocument } from '../load-document.ts';
import { countImport, findShared, type Shared } from '../queries/find-shared.ts';
import { presentPreview } from './present-preview.ts';

/** What an import would create. Throws a 404 if the token is not usable, or a 429. */
export async function previewTemplate(
  context: RequestContext,
  token: string,
): Promise<Response<Contract['sharedTemplates']['preview']>> {
  const { em } = context;
  const shared = await find(context, () => findShared(em, hashLinkToken(token)));
  const { organizationId, templateVersionId: id } = shared;
  const version = await em.findOneOrFail(TemplateVersion, { organizationId, id });
  const { template, document, dropped } = await readShared(context, shared);
  return presentPreview(template, version, document, dropped);
}

/**
 * Creates an independent template from the shared version, and counts the import. Throws a 404 if the token is not
 * usable, a 429, a 403 if the template would be outside the key's resource scope, or a 400 for an unknown folder.
 */
export async function importTemplate(
  context: RequestContext,
  token: string,
  { name, folderId = null }: { readonly name?: string | undefined; readonly folderId?: string | null | undefined },
): Promise<{ readonly template: Template; readonly dropped: readonly DroppedPart[] }> {
  const shared = await find(context, () => claim(context, token));
  ensureMayCreateTemplate(context.actor);
  await ensureFolder(context, folderId);
  const { template: original, document, dropped } = await readShared(context, shared);
  const { description = null, runTitlePattern = null } = original;
  const draft = duplicateDocument(document, newId);
  const settings = { name: name ?? original.name, description, runTitlePattern, folderId };
  const template = await insertTemplate(context, { ...settings, draft });
  await copyBackgroundImage(context, original, template);
  return { template, dropped };
}

async function find({ actor, ports }: RequestContext, look: () => Promise<Shared | null>): Promise<Shared> {
  // Attempts are counted per organization, because an organization can create any number of keys.
  return found(await ports.shareThrottle.find(actor.organizationId, look), 'Shared template');
}

/**
 * Finds a share and counts an import of it. Until the transaction ends, its template cannot be archived and its image
 * cannot be replaced. The template is locked before the share, as when it is archived.
 */
async function claim({ em }: Pick<RequestContext, 'em'>, token: string): Promise<Shared | null> {
  const hash = hashLinkToken(token);
  const share = await findShared(em, hash);
  if (!share) return null;
  await beginWriting(em, share.organizationId);
  const { organizationId, templateId: id } = share;
  const isShared =
    (await lockRow(em, Template, { organizationId, id, archivedAt: null, deletedAt: null }, 'share')) &&
    (await countImport(em, share, hash));
  return isShared ? findShared(em, hash) : null;
}

async function readShared(
  { em }: Pick<RequestContext, 'em'>,
  { organizationId, templateId, templateVersionId }: Shared,
) {
  const template: TemplateSettings = await em.findOneOrFail(Template, { organizationId, id: templateId });
  const { document, dropped } = detachDocument(await loadDocument(em, organizationId, templateVersionId));
  const inFolder = { path: 'folder', reason: 'Folders are not imported; move the template to one of your own.' };
  return { template, document, dropped: template.folderId ? [...dropped, inFolder] : dropped };
}
