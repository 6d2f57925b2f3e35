import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import type { FactType } from '@runward/engine';
import { references } from '../../database/references.ts';

/** A fact of a run, and who caused it. `sequence` counts the facts of the run from 1; `hash` chains them. */
export const Activity = defineEntity({
  name: 'Activity',
  tableName: 'activity',
  properties: {
    organizationId: p.uuid().primary(),
    runId: references('runs').primary(),
    sequence: p.integer().primary(),
    id: p.uuid(),
    type: p.text().$type<FactType>(),
    at: p.datetime(),
    actorType: p.enum(['API_KEY', 'USER', 'SYSTEM']),
    actorUserId: references('users').nullable(),
    actorApiKeyId: references('api_keys').nullable(),
    data: p.json<Record<string, unknown>>(),
    hash: p.text(),
  },
  indexes: [
    {
      name: 'activity_field_value_index',
      expression:
        "create index activity_field_value_index on activity (organization_id, (data ->> 'fieldValueId')) where type = 'value.submitted'",
    },
  ],
});

/** A row of `activity`. */
export type Activity = InferEntity<typeof Activity>;
