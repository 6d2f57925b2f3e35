import { fold, versionsNamedBy, type Fact } from '@runward/engine';
import type { RequestContext } from '../../access/request-context.ts';
import { badRequest } from '../../api-error.ts';
import { loadDocuments } from '../../templates/load-document.ts';
import type { ChangedRun } from '../change/change-run.ts';
import { readActivityUntil } from '../queries/list-activity.ts';
import type { LoadedRun } from '../store/load.ts';

/** A run as its activity up to a timestamp leaves it. Throws a 400 if it was launched later. */
export async function runAt({ em }: Pick<RequestContext, 'em'>, run: LoadedRun, at: string): Promise<ChangedRun> {
  const { id, createdAt } = run.state;
  const rows = await readActivityUntil(em, run.organizationId, id, at);
  const last = rows.at(-1);
  if (!last) throw badRequest([`at: is before the launch of the run; send ${createdAt} or a later timestamp`]);
  const { sequence: activityCount, hash: activityHash } = last;
  // The state of a run that has not changed since need not be computed.
  if (activityCount === run.activityCount) return run;
  const facts = rows.map(({ type, at, data }) => Object.assign({ type, at: at.toISOString() }, data) as Fact);
  const state = fold(await loadDocuments(em, run.organizationId, versionsNamedBy(facts)), facts);
  if (!state) throw new Error(`The activity of run ${id} does not begin with its launch.`);
  return { state, activityCount, activityHash, updatedAt: last.at.toISOString() };
}
