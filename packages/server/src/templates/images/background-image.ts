import { lockTemplate, type TemplateSettings } from '../../access/find-template.ts';
import type { RequestContext } from '../../access/request-context.ts';
import { storageKey } from '../../adapters/file-store.ts';
import { newId } from '../../ids.ts';
import { changeTemplate, ensureRevision } from '../change/change-template.ts';
import { TemplateAsset } from '../entities/template-asset.ts';
import type { Template } from '../entities/template.ts';
import type { NewAsset } from './store-image.ts';

/**
 * Replaces the background image of a template by a stored image. The previous image is removed after the commit. Throws
 * a 404, 403 or 412.
 */
export async function setBackgroundImage(
  context: RequestContext,
  templateId: string,
  asset: NewAsset,
): Promise<Template> {
  const template = await lockTemplate(context, templateId);
  ensureRevision(context, template);
  await replaceAsset(context, template, asset);
  return template;
}

/** Copies the background image of a template to its copy, which can be in another organization. */
export async function copyBackgroundImage(
  context: RequestContext,
  from: TemplateSettings,
  to: Template,
): Promise<void> {
  const { em, actor, ports } = context;
  const { organizationId } = actor;
  if (!from.backgroundAssetId) return;
  const original = await em.findOneOrFail(TemplateAsset, {
    organizationId: from.organizationId,
    id: from.backgroundAssetId,
  });
  const id = newId();
  const key = storageKey(organizationId, 'assets', id);
  await ports.files.copy(original.storageKey, key);
  context.afterRollback(() => ports.files.remove(key));
  const { contentType, size, width, height } = original;
  await replaceAsset(context, to, { id, storageKey: key, contentType, size, width, height });
}

/** Removes the background image of a template, if it has one. The caller must hold the lock on the template. */
export async function removeBackgroundImage(context: RequestContext, template: Template): Promise<void> {
  if (template.backgroundAssetId) await replaceAsset(context, template, null);
}

async function replaceAsset(context: RequestContext, template: Template, asset: NewAsset | null): Promise<void> {
  const { em, actor, now, ports } = context;
  const { organizationId } = actor;
  const before = template.backgroundAssetId;
  if (asset) em.create(TemplateAsset, { ...asset, organizationId, templateId: template.id, createdAt: now });
  await em.flush();
  await changeTemplate(context, template, { backgroundAssetId: asset?.id ?? null });
  if (!before) return;
  const replaced = await em.findOneOrFail(TemplateAsset, { organizationId, id: before });
  await em.remove(replaced).flush();
  context.afterCommit(() => ports.files.remove(replaced.storageKey));
}
