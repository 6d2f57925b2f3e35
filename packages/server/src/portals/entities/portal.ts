import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import { portalAudiences } from '@runward/contract';
import { User } from '../../organization/entities/user.ts';

/**
 * A site of an organization for its customers. The slug is unique over all organizations. A portal is published while it has `publishedAt`.
 * `revision` counts changes of the portal and its pages and is the `version` that clients see.
 */
export const Portal = defineEntity({
  name: 'Portal',
  tableName: 'portals',
  properties: {
    organizationId: p.uuid().primary(),
    id: p.uuid().primary(),
    name: p.text(),
    slug: p.text(),
    description: p.text().nullable(),
    audience: p.enum(portalAudiences),
    revision: p.integer(),
    createdByUserId: p.uuid(),
    updatedByUserId: p.uuid(),
    publishedByUserId: p.uuid().nullable(),
    createdAt: p.datetime(),
    updatedAt: p.datetime(),
    publishedAt: p.datetime().nullable(),
    createdBy: () => p.manyToOne(User).joinColumns('organization_id', 'created_by_user_id').lazyRef().persist(false),
    updatedBy: () => p.manyToOne(User).joinColumns('organization_id', 'updated_by_user_id').lazyRef().persist(false),
    publishedBy: () =>
      p.manyToOne(User).joinColumns('organization_id', 'published_by_user_id').nullable().lazyRef().persist(false),
  },
  uniques: [{ name: 'portals_slug_key', properties: ['slug'] }],
});

/** A row of `portals`. */
export type Portal = InferEntity<typeof Portal>;
