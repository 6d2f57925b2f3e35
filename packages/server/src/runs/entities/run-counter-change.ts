import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import { runStatuses } from '@runward/contract';

/**
 * What a statement that wrote runs adds to a counter. Rows are only inserted, and deleted when they are folded into the
 * counter. They do not refer to a template, because a change of a run would then wait for transactions that lock its
 * template, such as a publication.
 */
export const RunCounterChange = defineEntity({
  name: 'RunCounterChange',
  tableName: 'run_counter_changes',
  properties: {
    organizationId: p.uuid().primary(),
    id: p.uuid().primary(),
    templateId: p.uuid(),
    status: p.enum(runStatuses),
    archived: p.boolean(),
    change: p.integer(),
    taskChange: p.integer(),
  },
});

/** A row of `run_counter_changes`. */
export type RunCounterChange = InferEntity<typeof RunCounterChange>;
