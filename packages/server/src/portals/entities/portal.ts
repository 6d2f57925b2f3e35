import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import { portalAudiences } from '@runward/contract';
import { references } from '../../database/references.ts';

/**
 * A site of an organization for its customers. The slug is unique over all organizations. A portal is published while
 * it has `publishedAt`. `revision` counts changes of the portal and its pages and is the `version` that clients see.
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
    createdByUserId: references('users'),
    updatedByUserId: references('users'),
    publishedByUserId: references('users').nullable(),
    createdAt: p.datetime(),
    updatedAt: p.datetime(),
    publishedAt: p.datetime().nullable(),
  },
  uniques: [{ name: 'portals_slug_key', properties: ['slug'] }],
});

/** A row of `portals`. */
export type Portal = InferEntity<typeof Portal>;
