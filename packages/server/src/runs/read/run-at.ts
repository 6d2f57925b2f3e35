import { applyAll, fold, versionsNamedBy, type Fact, type RunState } from '@runward/engine';
import type { RequestContext } from '../../access/request-context.ts';
import { badRequest } from '../../api-error.ts';
import { loadDocuments } from '../../templates/load-document.ts';
import type { ChangedRun } from '../change/change-run.ts';
import { lastActivityUntil, readActivity } from '../queries/list-activity.ts';
import type { LoadedRun } from '../store/load.ts';

/** A run in the state after its activity up to a timestamp. Throws a 400 if the run was launched later. */
export async function runAt({ em }: Pick<RequestContext, 'em'>, run: LoadedRun, at: string): Promise<ChangedRun> {
  const { id, createdAt } = run.state;
  const { organizationId } = run;
  const last = await lastActivityUntil(em, organizationId, id, at);
  if (!last) throw badRequest([`at: is before the launch of the run; send ${createdAt} or a later timestamp`]);
  const { sequence: activityCount, hash: activityHash } = last;
  // If the run has not changed since, its state is known.
  if (activityCount === run.activityCount) return run;
  let state: RunState | null = null;
  // Read in batches, because all values ever submitted can be many times the size of the run.
  for await (const rows of readActivity(em, organizationId, id, { until: activityCount, limit: activityCount })) {
    for (const { type, at, data } of rows) {
      const fact = Object.assign({ type, at: at.toISOString() }, data) as Fact;
      const documents = await loadDocuments(em, organizationId, versionsNamedBy([fact]));
      state = state ? applyAll(state, [fact], documents) : fold(documents, [fact]);
    }
  }
  if (!state) throw new Error(`The activity of run ${id} does not begin with its launch.`);
  return { state, activityCount, activityHash, updatedAt: last.at.toISOString() };
}
