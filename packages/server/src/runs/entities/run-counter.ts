import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import { runStatuses } from '@runward/contract';
import { references } from '../../database/references.ts';

/**
 * How many runs of a template have a status, archived or not, and how many visible tasks they have. It is exact
 * together with the changes that were not folded into it yet. Alone, it can even be negative for a moment (decision
 * 0043).
 */
export const RunCounter = defineEntity({
  name: 'RunCounter',
  tableName: 'run_counters',
  properties: {
    organizationId: p.uuid().primary(),
    templateId: references('templates').primary(),
    status: p.enum(runStatuses).primary(),
    archived: p.boolean().primary(),
    count: p.integer(),
    taskCount: p.integer(),
  },
});

/** A row of `run_counters`. */
export type RunCounter = InferEntity<typeof RunCounter>;
