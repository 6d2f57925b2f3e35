import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import type { EventName } from '@runward/contract';

/** A registered receiver. `failingSince` is the start of an unbroken row of failed attempts. */
export const Webhook = defineEntity({
  name: 'Webhook',
  tableName: 'webhooks',
  properties: {
    id: p.uuid().primary(),
    organizationId: p.uuid(),
    name: p.text(),
    url: p.text(),
    enabledEvents: p.array().$type<EventName[]>(),
    enabled: p.boolean(),
    disabledReason: p.text().nullable(),
    disabledAt: p.datetime().nullable(),
    failingSince: p.datetime().nullable(),
    templateMode: p.text().$type<'ALL_FLOWS' | 'SELECTED_TEMPLATES'>(),
    templateIds: p.array().columnType('uuid[]'),
    description: p.text().nullable(),
    createdAt: p.datetime(),
    updatedAt: p.datetime(),
  },
});

/** A row of `webhooks`. */
export type Webhook = InferEntity<typeof Webhook>;
