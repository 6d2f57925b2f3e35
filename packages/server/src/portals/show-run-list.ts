import type { Block } from '@runward/contract';
import type { Em } from '../database/database.ts';
import { instant, instantOrNull } from '../database/instant.ts';
import { runConditions, type RunScope } from '../runs/queries/run-conditions.ts';

/** The most runs that a list shows if it does not say how many. */
const defaultLimit = 10;

/** A list of the newest runs that match the filters of a block. Its readers may be strangers, so it has neither ids nor members. */
export async function showRunList(
  em: Em,
  scope: RunScope,
  { type, title, filters, limit = defaultLimit }: Extract<Block, { type: 'RUN_LIST' }>,
) {
  const rows = await em
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
    .limit(limit + 1)
    .execute();
  const runs = rows
    .slice(0, limit)
    .map(({ createdAt, completedAt, ...run }) =>
      Object.assign(run, { createdAt: instant(createdAt), completedAt: instantOrNull(completedAt) }),
    );
  return { type, title: title ?? null, runs, hasMore: rows.length > limit };
}
