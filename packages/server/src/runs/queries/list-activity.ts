import type { Em } from '../../database/database.ts';
import { Activity } from '../entities/activity.ts';

/** Up to `limit` + 1 facts of a run, newest first, from before a sequence number on. The caller has reached the run. */
export async function listActivity(
  em: Em,
  runId: string,
  { limit, before }: { limit: number; before: number | undefined },
): Promise<Activity[]> {
  return em.find(
    Activity,
    { runId, ...(before !== undefined && { sequence: { $lt: before } }) },
    { orderBy: { sequence: 'desc' }, limit: limit + 1 },
  );
}
