import { rm } from 'node:fs/promises';
import type { UploadedFile } from '@runward/contract';
import type { RequestContext } from '../../access/request-context.ts';
import { storageKey } from '../../adapters/file-store.ts';
import { convertImage, type EncodedImage } from '../../adapters/images.ts';
import { badRequest } from '../../api-error.ts';
import { newId } from '../../ids.ts';
import { TemplateAsset } from '../entities/template-asset.ts';
import type { Template } from '../entities/template.ts';

/** A stored image that no row refers to yet. */
export type NewAsset = Pick<TemplateAsset, 'id' | 'storageKey' | 'contentType'> & EncodedImage;

/**
 * Re-encodes an uploaded image and stores it. The stored image is removed if the request is rolled back. Throws a 400
 * if the upload cannot be decoded.
 */
export async function storeImage(context: RequestContext, file: UploadedFile): Promise<NewAsset> {
  const { actor, ports } = context;
  const id = newId();
  const key = storageKey(actor.organizationId, 'assets', id);
  const encoded = `${file.path}.encoded`;
  try {
    const image = await convertImage('reencode', file.path, encoded);
    if ('problem' in image) throw badRequest([`file: ${image.problem}; save it again or reduce its size`]);
    await ports.files.put(key, encoded);
    context.afterRollback(() => ports.files.remove(key));
    return { id, storageKey: key, contentType: file.contentType, ...image };
  } finally {
    await rm(encoded, { force: true });
  }
}

/** Removes all images of a template, and their files after the commit. No row may refer to them any more. */
export async function removeImages(
  { em, actor, ports, afterCommit }: RequestContext,
  template: Template,
): Promise<void> {
  const { organizationId } = actor;
  const assets = await em.find(TemplateAsset, { organizationId, templateId: template.id });
  await em.remove(assets).flush();
  afterCommit(async () => {
    for (const asset of assets) await ports.files.remove(asset.storageKey);
  });
}
