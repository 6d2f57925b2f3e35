import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import type { FactType } from '@runward/engine';

/** A fact of a run and who caused it. */
export const Activity = defineEntity({
  name: 'Activity',
  tableName: 'activity',
  properties: {
    runId: p.uuid().primary(),
    sequence: p.integer().primary(),
    id: p.uuid(),
    type: p.text().$type<FactType>(),
    at: p.datetime(),
    actorType: p.text().$type<'API_KEY' | 'USER' | 'SYSTEM'>(),
    actorUserId: p.uuid().nullable(),
    actorApiKeyId: p.uuid().nullable(),
    data: p.json<Record<string, unknown>>(),
  },
});

/** A row of `activity`. */
export type Activity = InferEntity<typeof Activity>;
