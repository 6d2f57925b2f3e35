import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import { templateModes, type EventName } from '@runward/contract';
import { references } from '../../database/references.ts';

/**
 * A registered receiver. `failingSince` is the time of the first attempt in an unbroken series of failures. If it has
 * no `signingSecret`, its deliveries are signed with the organization's. If it is `ordered`, they are sent one at a
 * time, in the order of the feed.
 *
 * Until `leasedUntil`, only the worker with the `leaseToken` sends its deliveries. A worker that holds `wanted`
 * webhooks waits for it.
 */
export const Webhook = defineEntity({
  name: 'Webhook',
  tableName: 'webhooks',
  properties: {
    organizationId: references('organizations').primary(),
    id: p.uuid().primary(),
    name: p.text(),
    url: p.text(),
    enabledEvents: p.array().$type<EventName[]>(),
    enabled: p.boolean(),
    ordered: p.boolean().default(false),
    disabledReason: p.text().nullable(),
    disabledAt: p.datetime().nullable(),
    failingSince: p.datetime().nullable(),
    templateMode: p.enum(templateModes),
    templateIds: p.array().columnType('uuid[]'),
    description: p.text().nullable(),
    signingSecret: p.text().nullable(),
    previousSigningSecret: p.text().nullable(),
    previousSigningSecretExpiresAt: p.datetime().nullable(),
    leaseToken: p.uuid().nullable(),
    leasedUntil: p.datetime().nullable(),
    wanted: p.smallint().nullable(),
    createdAt: p.datetime(),
    updatedAt: p.datetime(),
  },
});

/** A row of `webhooks`. */
export type Webhook = InferEntity<typeof Webhook>;
