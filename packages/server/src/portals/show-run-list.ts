import type { Block } from '@runward/contract';
import type { Em } from '../database/database.ts';
import { instant, instantOrNull } from '../database/instant.ts';
import type { RunScope } from '../runs/queries/run-conditions.ts';
import { newestRuns } from './queries/newest-runs.ts';

/** The maximum number of runs in a list that does not set one. */
const defaultLimit = 10;

/** A list of the newest runs that match the filters of a block. */
export async function showRunList(
  em: Em,
  scope: RunScope,
  { type, title, filters, limit = defaultLimit }: Extract<Block, { type: 'RUN_LIST' }>,
) {
  const rows = await newestRuns(em, scope, filters, limit + 1);
  const runs = rows
    .slice(0, limit)
    .map(({ createdAt, completedAt, ...run }) =>
      Object.assign(run, { createdAt: instant(createdAt), completedAt: instantOrNull(completedAt) }),
    );
  return { type, title: title ?? null, runs, hasMore: rows.length > limit };
}
