import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import type { FactType } from '@runward/engine';
import { ApiKey } from '../../organization/entities/api-key.ts';
import { User } from '../../organization/entities/user.ts';
import { Run } from './run.ts';

/** A fact of a run and who caused it. `sequence` counts the facts of the run from 1; `hash` chains them. */
export const Activity = defineEntity({
  name: 'Activity',
  tableName: 'activity',
  properties: {
    organizationId: p.uuid().primary(),
    runId: p.uuid().primary(),
    sequence: p.integer().primary(),
    id: p.uuid(),
    type: p.text().$type<FactType>(),
    at: p.datetime(),
    actorType: p.enum(['API_KEY', 'USER', 'SYSTEM']),
    actorUserId: p.uuid().nullable(),
    actorApiKeyId: p.uuid().nullable(),
    data: p.json<Record<string, unknown>>(),
    hash: p.text(),
    run: () => p.manyToOne(Run).joinColumns('organization_id', 'run_id').lazyRef().persist(false),
    actorUser: () =>
      p.manyToOne(User).joinColumns('organization_id', 'actor_user_id').nullable().lazyRef().persist(false),
    actorApiKey: () =>
      p.manyToOne(ApiKey).joinColumns('organization_id', 'actor_api_key_id').nullable().lazyRef().persist(false),
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
