import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import { references } from '../../database/references.ts';

/**
 * An image of a template. `size` is in bytes, `width` and `height` are in pixels. The bytes are in the file store under
 * `storageKey`.
 */
export const TemplateAsset = defineEntity({
  name: 'TemplateAsset',
  tableName: 'template_assets',
  properties: {
    organizationId: p.uuid().primary(),
    id: p.uuid().primary(),
    templateId: references('templates'),
    contentType: p.text(),
    size: p.integer(),
    width: p.integer(),
    height: p.integer(),
    storageKey: p.text(),
    createdAt: p.datetime(),
  },
  uniques: [{ name: 'template_assets_storage_key_key', properties: ['organizationId', 'storageKey'] }],
  indexes: [{ name: 'template_assets_template_index', properties: ['organizationId', 'templateId'] }],
});

/** A row of `template_assets`. */
export type TemplateAsset = InferEntity<typeof TemplateAsset>;
