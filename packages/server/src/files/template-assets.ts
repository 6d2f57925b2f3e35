import type { Parts } from '@runward/contract';
import { findTemplate, lockTemplate } from '../access/find-template.ts';
import type { Handlers } from '../access/handler.ts';
import { urlLifetimeMs } from '../adapters/file-store.ts';
import { found } from '../api-error.ts';
import { TemplateAsset } from '../templates/entities/template-asset.ts';
import { storeImage } from '../templates/images/store-image.ts';

/** Images of templates (spec: Files). */
export const templateAssets: Handlers<Parts['templateAssets']> = {
  uploadTemplateAsset: {
    prepare: async ({ body: { templateId, file }, ...context }) => {
      await findTemplate(context, templateId);
      const image = await storeImage(context, file);
      return async (within) => {
        const { em, actor, now: createdAt } = within;
        // Another request may have deleted the template meanwhile.
        await lockTemplate(within, templateId, 'key share');
        em.create(TemplateAsset, { ...image, organizationId: actor.organizationId, templateId, createdAt });
        await em.flush();
        const { id, contentType, size, width, height } = image;
        return { id, templateId, contentType, size, width, height, createdAt: createdAt.toISOString() };
      };
    },
  },

  templateAssetUrl: async ({ query, em, actor, now, ports }) => {
    const { organizationId } = actor;
    const asset = found(await em.findOne(TemplateAsset, { organizationId, id: query.assetId }), 'Template asset');
    await findTemplate({ em, actor }, asset.templateId);
    const { contentType, storageKey } = asset;
    const fileName = `image.${contentType.slice('image/'.length)}`;
    const expiresAt = new Date(now.getTime() + urlLifetimeMs);
    const url = await ports.files.downloadUrl(storageKey, { fileName, contentType, expiresAt });
    return { url, expiresAt: expiresAt.toISOString() };
  },
};
