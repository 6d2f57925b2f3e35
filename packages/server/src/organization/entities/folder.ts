import { defineEntity, p, type InferEntity } from '@mikro-orm/core';

/** A folder of templates. */
export const Folder = defineEntity({
  name: 'Folder',
  tableName: 'folders',
  properties: {
    id: p.uuid().primary(),
    organizationId: p.uuid(),
    name: p.text(),
    createdAt: p.datetime(),
  },
});

/** A row of `folders`. */
export type Folder = InferEntity<typeof Folder>;
