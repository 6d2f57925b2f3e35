import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import { Organization } from './organization.ts';

/** A folder of templates. */
export const Folder = defineEntity({
  name: 'Folder',
  tableName: 'folders',
  properties: {
    organizationId: p.uuid().primary(),
    id: p.uuid().primary(),
    name: p.text(),
    createdAt: p.datetime(),
    organization: () => p.manyToOne(Organization).joinColumn('organization_id').lazyRef().persist(false),
  },
  indexes: [{ name: 'folders_name_index', properties: ['organizationId', 'name', 'id'] }],
});

/** A row of `folders`. */
export type Folder = InferEntity<typeof Folder>;
