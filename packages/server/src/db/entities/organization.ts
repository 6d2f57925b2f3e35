import { defineEntity, p, type InferEntity } from '@mikro-orm/core';

/** Plans an organization can be on, least first. */
export const plans = ['FREE', 'PRO', 'BUSINESS', 'ENTERPRISE'] as const;

/** The plan of an organization. */
export type Plan = (typeof plans)[number];

/** A tenant: everything else belongs to exactly one. */
export const Organization = defineEntity({
  name: 'Organization',
  tableName: 'organizations',
  properties: {
    id: p.uuid().primary(),
    name: p.text(),
    plan: p.text().$type<Plan>(),
    timeZone: p.text(),
    signingSecret: p.text(),
    createdAt: p.datetime(),
  },
});

/** A row of `organizations`. */
export type Organization = InferEntity<typeof Organization>;
