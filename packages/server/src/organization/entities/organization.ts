import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import { plans } from '@runward/contract';

/** The plan of an organization. */
export type Plan = (typeof plans)[number];

/**
 * A tenant. Every other row belongs to exactly one organization. `signInKey` signs challenges for passkeys: that of the
 * oldest organization, because nobody knows yet to which one a person belongs who signs in.
 */
export const Organization = defineEntity({
  name: 'Organization',
  tableName: 'organizations',
  properties: {
    id: p.uuid().primary(),
    name: p.text(),
    plan: p.enum(plans),
    timeZone: p.text(),
    remindBefore: p.text().default('P1D'),
    signingSecret: p.text(),
    previousSigningSecret: p.text().nullable(),
    previousSigningSecretExpiresAt: p.datetime().nullable(),
    signInKey: p.uuid().defaultRaw('gen_random_uuid()'),
    createdAt: p.datetime(),
  },
});

/** A row of `organizations`. */
export type Organization = InferEntity<typeof Organization>;
