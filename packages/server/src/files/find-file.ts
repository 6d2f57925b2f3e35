import type { RequestContext } from '../access/request-context.ts';
import { ensureTemplateInScope } from '../access/resource-scope/ensure-in-scope.ts';
import { storageKey } from '../adapters/file-store.ts';
import { found } from '../api-error.ts';
import { Run } from '../runs/entities/run.ts';
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
  if (actor.resourceScope.mode !== 'ALL') {
    const run = await em.findOneOrFail(Run, { organizationId, id: file.runId }, { fields: ['templateId'] });
    await ensureTemplateInScope(em, actor, run.templateId);
  }
  return file;
}

/** The key of the thumbnail of a stored file. */
export function thumbnailKey({ organizationId, storageKey: key }: Pick<RunFile, 'organizationId' | 'storageKey'>) {
  return storageKey(organizationId, 'thumbnails', key.slice(key.lastIndexOf('/') + 1));
}

/** The keys of everything stored for a file. */
export function keysOf(file: Pick<RunFile, 'organizationId' | 'storageKey' | 'status'>): string[] {
  return file.status === 'STORED' ? [file.storageKey, thumbnailKey(file)] : [file.storageKey];
}
