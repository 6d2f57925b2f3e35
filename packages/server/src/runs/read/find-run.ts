import type { RequestContext } from '../../access/request-context.ts';
import { ensureInScope } from '../../access/resource-scope/ensure-in-scope.ts';
import { found } from '../../api-error.ts';
import { loadRun, type LoadedRun } from '../store/load.ts';

/**
 * A run of the organization with its tasks, and with `forms` also their entries. Throws a 404, or a 403 if it is
 * outside the caller's resource scope.
 */
export async function findRun(
  { em, actor }: Pick<RequestContext, 'em' | 'actor'>,
  runId: string,
  { forms } = { forms: false },
): Promise<LoadedRun> {
  const run = found(await loadRun(em, actor.organizationId, { runId }, { forms }), 'Run');
  ensureInScope(actor, run.template);
  return run;
}
