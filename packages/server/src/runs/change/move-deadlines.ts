import type { RequestContext } from '../../access/request-context.ts';
import { loadRuns } from '../store/load.ts';
import { lockActiveRuns } from '../store/lock.ts';
import { changeRuns } from './change-runs.ts';

/**
 * Moves the deadlines of date-only tasks in all active runs of the organization to the ends of their days in its new
 * time zone. The caller has stored the zone while holding the organization's lock, so that no launch computes deadlines
 * in the old zone meanwhile.
 */
export async function moveDeadlines(context: RequestContext): Promise<void> {
  const { em, actor } = context;
  const runIds = await lockActiveRuns(em, actor.organizationId);
  for await (const runs of loadRuns(em, actor.organizationId, runIds)) {
    await changeRuns(context, runs, () => [{ type: 'moveDeadlines' }]);
  }
}
