import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import { references } from '../../database/references.ts';

/** A folder of templates. */
export const Folder = defineEntity({
  name: 'Folder',
  tableName: 'folders',
  properties: {
    organizationId: references('organizations').primary(),
    id: p.uuid().primary(),
    name: p.text(),
    createdAt: p.datetime(),
  },
  indexes: [{ name: 'folders_name_index', properties: ['organizationId', 'name', 'id'] }],
});

/** A row of `folders`. */
export type Folder = InferEntity<typeof Folder>;
