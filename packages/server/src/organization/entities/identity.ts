import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import { references } from '../../database/references.ts';

/**
 * An account of an OpenID Connect provider with which a member signs in. The subject of an issuer is unique over all
 * organizations. `groupIds` are the groups to which the claim has added the member.
 */
export const Identity = defineEntity({
  name: 'Identity',
  tableName: 'identities',
  properties: {
    organizationId: p.uuid().primary(),
    id: p.uuid().primary(),
    userId: references('users', 'cascade'),
    issuer: p.text(),
    subject: p.text(),
    groupIds: p.json<readonly string[]>().defaultRaw(`'[]'`),
    createdAt: p.datetime(),
    lastUsedAt: p.datetime(),
  },
  uniques: [{ name: 'identities_subject_key', properties: ['issuer', 'subject'] }],
  indexes: [{ name: 'identities_user_index', properties: ['organizationId', 'userId'] }],
});

/** A row of `identities`. */
export type Identity = InferEntity<typeof Identity>;
