import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import type { EntryState } from '@runward/engine';
import { User } from '../../organization/entities/user.ts';
import { RunTask } from './run-task.ts';
import { Run } from './run.ts';

const statuses = ['OPEN', 'COMPLETED'] as const satisfies readonly EntryState['status'][];

/** The form of a task as it was filled in once; a repeatable task has several. A discarded one is kept with its values, but not loaded. */
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
    run: () => p.manyToOne(Run).joinColumns('organization_id', 'run_id').lazyRef().persist(false),
    runTask: () => p.manyToOne(RunTask).joinColumns('organization_id', 'run_task_id').lazyRef().persist(false),
    createdBy: () => p.manyToOne(User).joinColumns('organization_id', 'created_by_user_id').lazyRef().persist(false),
  },
  indexes: [{ name: 'entries_run_index', properties: ['organizationId', 'runId'] }],
});

/** A row of `entries`. */
export type Entry = InferEntity<typeof Entry>;
