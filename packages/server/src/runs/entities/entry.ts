import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import type { EntryState } from '@runward/engine';

const statuses = ['OPEN', 'COMPLETED'] as const satisfies readonly EntryState['status'][];

/**
 * One filled-in form of a task; a repeatable task has several. Discarded entries are kept with values, but not loaded.
 */
export const Entry = defineEntity({
  name: 'Entry',
  tableName: 'entries',
  properties: {
    organizationId: p.uuid().primary(),
    id: p.uuid().primary(),
    runId: p.uuid(),
    runTaskId: p.uuid(),
    status: p.enum(statuses),
    createdByUserId: p.uuid(),
    createdAt: p.datetime(),
    completedAt: p.datetime().nullable(),
    discardedAt: p.datetime().nullable(),
  },
  indexes: [{ name: 'entries_run_index', properties: ['organizationId', 'runId'] }],
});

/** A row of `entries`. */
export type Entry = InferEntity<typeof Entry>;
