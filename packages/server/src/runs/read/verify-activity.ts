import { verifyChain, type ChainProblem } from '@runward/engine';
import type { Em } from '../../database/database.ts';
import { readActivity, type RecordedEnd } from '../queries/list-activity.ts';
import { presentActivity } from './present-activity.ts';

/**
 * Verifies that the activity log of a run is complete and unchanged. Returns the first problem, or null. Must be called
 * in a transaction that sees one state of the database.
 */
export async function verifyActivity(em: Em, run: RecordedEnd): Promise<ChainProblem | null> {
  const { organizationId, id, activityCount: count, activityHash: hash } = run;
  // One line more, in case that somebody added some.
  const bounds = { until: count + 1, limit: count + 1 };
  const rows = (await Array.fromAsync(readActivity(em, organizationId, id, bounds))).flat();
  return verifyChain(rows.map(presentActivity), { count, hash });
}
