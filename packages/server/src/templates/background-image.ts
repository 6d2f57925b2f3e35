import { rm } from 'node:fs/promises';
import type { UploadedFile } from '@runward/contract';
import type { RequestContext } from '../access/request-context.ts';
import { maximumMegapixels, reencodeImage, type EncodedImage } from '../adapters/images.ts';
import { badRequest } from '../api-error.ts';
import { newId } from '../ids.ts';
import { changeTemplate, ensureRevision } from './change-template.ts';
import { TemplateAsset } from './entities/template-asset.ts';
import type { Template } from './entities/template.ts';
import { findTemplate, lockTemplate } from '../access/find-template.ts';

/**
 * Replaces the background image of a template. The new image is stored before the template refers to it, and the previous one is removed
 * after the commit. Throws a 404, a 403, or a 400 if the file cannot be decoded.
 */
export async function setBackgroundImage(context: RequestContext, templateId: string, file: UploadedFile) {
  const { actor, inTransaction, ports } = context;
  await findTemplate(context, templateId);
  const id = newId();
  const storageKey = `${actor.organizationId}/assets/${id}`;
  const encoded = `${file.path}.encoded`;
  try {
    const image = await reencodeImage(file.path, encoded);
    if (image === null) {
      const limit = `an image of at most ${maximumMegapixels} megapixels`;
      throw badRequest([`file: cannot be decoded as ${limit}; save it again or reduce its size`]);
    }
    await ports.files.put(storageKey, encoded);
    context.afterRollback(() => ports.files.remove(storageKey));
    const asset = { id, storageKey, contentType: file.contentType, ...image };
    return await inTransaction((em) => attach({ ...context, em }, templateId, asset));
  } finally {
    await rm(encoded, { force: true });
  }
}

/** Copies the background image of a template to its duplicate. */
export async function copyBackgroundImage(context: RequestContext, from: Template, to: Template): Promise<void> {
  const { em, actor, ports } = context;
  const { organizationId } = actor;
  if (!from.backgroundAssetId) return;
  const original = await em.findOneOrFail(TemplateAsset, { organizationId, id: from.backgroundAssetId });
  const id = newId();
  const storageKey = `${organizationId}/assets/${id}`;
  await ports.files.copy(original.storageKey, storageKey);
  context.afterRollback(() => ports.files.remove(storageKey));
  const { contentType, size, width, height } = original;
  await replaceAsset(context, to, { id, storageKey, contentType, size, width, height });
}

/** Removes the background image of a template, if it has one. The caller holds the lock on the template. */
export async function removeBackgroundImage(context: RequestContext, template: Template): Promise<void> {
  if (template.backgroundAssetId) await replaceAsset(context, template, null);
}

type NewAsset = Pick<TemplateAsset, 'id' | 'storageKey' | 'contentType'> & EncodedImage;

async function attach(context: RequestContext, templateId: string, asset: NewAsset): Promise<Template> {
  const template = await lockTemplate(context, templateId);
  ensureRevision(context, template);
  await replaceAsset(context, template, asset);
  return template;
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
