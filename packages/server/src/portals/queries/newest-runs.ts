import type { FilterSet } from '@runward/contract';
import type { Em } from '../../database/database.ts';
import { runConditions, type RunScope } from '../../runs/queries/run-conditions.ts';

/** The newest runs that match filters, at most `most`, without ids and members, because strangers may read them. */
export async function newestRuns(em: Em, scope: RunScope, filters: FilterSet, most: number) {
  return em
    .getKysely()
    .selectFrom('runs as run')
    .where(runConditions(scope, filters))
    .select([
      'run.title',
      'run.status',
      'run.scheduled_date_local as scheduledDateLocal',
      'run.created_at as createdAt',
      'run.completed_at as completedAt',
    ])
    .orderBy('run.id', 'desc')
    .limit(most)
    .execute();
}
