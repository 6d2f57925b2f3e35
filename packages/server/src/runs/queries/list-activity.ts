import type { Em } from '../../database/database.ts';
import { Activity } from '../entities/activity.ts';

/** Up to `limit` + 1 facts of a run, newest first, those before a sequence number. */
export async function listActivity(
  em: Em,
  organizationId: string,
  runId: string,
  { limit, before }: { limit: number; before: number | undefined },
): Promise<Activity[]> {
  return em.find(
    Activity,
    { organizationId, runId, ...(before !== undefined && { sequence: { $lt: before } }) },
    { orderBy: { sequence: 'desc' }, limit: limit + 1 },
  );
}
