import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import type { FactType } from '@runward/engine';

/**
 * A fact of a run, and who caused it. `sequence` counts the facts of the run from 1; `hash` chains them. `endsChange`
 * is whether it is the last fact of its change: by these, runs are found by the time of their last change (decision
 * 0089).
 */
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
    endsChange: p.boolean(),
  },
  indexes: [{ name: 'activity_changes_index', properties: ['organizationId', 'at', 'runId'], where: 'ends_change' }],
});

/** A row of `activity`. */
export type Activity = InferEntity<typeof Activity>;
