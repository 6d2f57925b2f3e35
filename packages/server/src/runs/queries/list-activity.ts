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

/** The facts of a run up to the last one that happened at a timestamp or before, oldest first. */
export async function readActivityUntil(
  em: Em,
  organizationId: string,
  runId: string,
  at: string,
): Promise<Activity[]> {
  const ofRun = { organizationId, runId };
  const last = await em.findOne(
    Activity,
    { ...ofRun, at: { $lte: new Date(at) } },
    { orderBy: { sequence: 'desc' }, fields: ['sequence'], disableIdentityMap: true },
  );
  if (!last) return [];
  return em.find(
    Activity,
    { ...ofRun, sequence: { $lte: last.sequence } },
    { orderBy: { sequence: 'asc' }, disableIdentityMap: true },
  );
}
