import type { RequestContext } from '../access/request-context.ts';
import { ensureInScope, ensureTemplateInScope } from '../access/resource-scope/ensure-in-scope.ts';
import { storageKey } from '../adapters/file-store.ts';
import { found } from '../api-error.ts';
import { Run } from '../runs/entities/run.ts';
import { taskOf } from '../runs/read/find-task.ts';
import { loadRun } from '../runs/store/load.ts';
import { RunFile } from './entities/run-file.ts';

type Context = Pick<RequestContext, 'em' | 'actor'>;

/** A stored file that the caller may use. Throws a 404 or 403, by the resource scope of its run. */
export async function findFile(context: Context, id: string): Promise<RunFile> {
  const file = await findUpload(context, id);
  return found(file.status === 'STORED' ? file : null, 'File');
}

/** The same, also for an unconfirmed upload. */
export async function findUpload({ em, actor }: Context, id: string): Promise<RunFile> {
  const { organizationId } = actor;
  const file = found(await em.findOne(RunFile, { organizationId, id }), 'File');
  if (actor.resourceScope.mode !== 'ALL') await ensurePlaceInScope({ em, actor }, file);
  return file;
}

/**
 * Throws a 404 for a run that does not exist, or a 403 if its files are outside the caller's resource scope. Callers
 * who only have the tasks that are theirs may read those of an entry.
 */
export async function ensurePlaceInScope(
  { em, actor }: Context,
  { runId, entryId }: { readonly runId: string; readonly entryId: string | null },
): Promise<void> {
  const { organizationId, resourceScope } = actor;
  if (resourceScope.mode === 'ASSIGNED' && entryId !== null) {
    const run = found(await loadRun(em, organizationId, { entryId }, { forms: true }), 'Entry');
    return ensureInScope(actor, run.template, taskOf(run.state, { entryId }));
  }
  const run = found(await em.findOne(Run, { organizationId, id: runId }, { fields: ['templateId'] }), 'Run');
  await ensureTemplateInScope(em, actor, run.templateId);
}

/** The key of the thumbnail of a stored file. */
export function thumbnailKey({ organizationId, storageKey: key }: Pick<RunFile, 'organizationId' | 'storageKey'>) {
  return storageKey(organizationId, 'thumbnails', key.slice(key.lastIndexOf('/') + 1));
}

/** The keys of everything stored for a file. */
export function keysOf(file: Pick<RunFile, 'organizationId' | 'storageKey' | 'status'>): string[] {
  return file.status === 'STORED' ? [file.storageKey, thumbnailKey(file)] : [file.storageKey];
}
