import type { Em } from '../../database/database.ts';
import { Activity } from '../entities/activity.ts';

/** Between two batches other requests are served. */
const batchSize = 250;

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

/** The newest `limit` facts of a run up to a sequence number, oldest first, in batches. Throws when the signal is aborted. */
export async function* readActivity(
  em: Em,
  organizationId: string,
  runId: string,
  { until, limit }: { until: number; limit: number },
  signal: AbortSignal,
): AsyncGenerator<readonly Activity[]> {
  for (let after = Math.max(0, until - limit); after < until; after += batchSize) {
    signal.throwIfAborted();
    const sequence = { $gt: after, $lte: Math.min(until, after + batchSize) };
    const options = { orderBy: { sequence: 'asc' }, disableIdentityMap: true } as const;
    yield await em.find(Activity, { organizationId, runId, sequence }, options);
  }
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
