import { ensureTemplateInScope } from '../access/resource-scope/ensure-in-scope.ts';
import type { RequestContext } from '../access/request-context.ts';
import { notFound } from '../api-error.ts';
import { loadRuns, type LoadedRun } from './store/load.ts';
import { lockRuns } from './store/lock.ts';

/**
 * Locks several runs until the transaction ends, in the order of their ids, and reads them without their entries. Throws a 404 if one does
 * not exist, and a 403 if one is outside the caller's resource scope.
 */
export async function lockAndLoadRuns(
  { em, actor }: Pick<RequestContext, 'em' | 'actor'>,
  runIds: readonly string[],
): Promise<LoadedRun[]> {
  const { organizationId } = actor;
  if ((await lockRuns(em, organizationId, runIds)).length < runIds.length) throw notFound('Run');
  const runs = (await Array.fromAsync(loadRuns(em, organizationId, runIds))).flat();
  const templateIds = new Set(runs.map(({ state }) => state.templateId));
  for (const templateId of templateIds) await ensureTemplateInScope(em, actor, templateId);
  return runs;
}
