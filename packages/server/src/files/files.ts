import type { Parts } from '@runward/contract';
import type { Actor } from '../access/actor.ts';
import { atomic, type Handlers } from '../access/handler.ts';
import type { RequestContext } from '../access/request-context.ts';
import { urlLifetimeMs } from '../adapters/file-store.ts';
import { ApiError, badRequest, found } from '../api-error.ts';
import { countLimit, decodeCursor, pageOf } from '../paging.ts';
import { Entry } from '../runs/entities/entry.ts';
import type { RunFile } from './entities/run-file.ts';
import { ensurePlaceInScope, findFile, thumbnailKey } from './find-file.ts';
import { presentFile } from './present-file.ts';
import { listFiles, type FileFilter } from './queries/list-files.ts';
import { ensureServed, isServed, whyNotServed } from './served.ts';
import { receiveContent, sendContent } from './transfer.ts';
import { zipOf } from './zip.ts';

/** Reading files (spec: Files). */
export const files: Handlers<Parts['files']> = {
  list: async ({ query: { limit, cursor, total: mode, ...filter }, ...context }) => {
    const { em, actor } = context;
    await ensureFilter(context, filter);
    const before = cursor === undefined ? undefined : decodeCursor(cursor, 'id')[0];
    const most = countLimit({ limit, total: mode }, context.ports.limits);
    const read = await listFiles(em, scopeOf(actor, filter), filter, { limit, before, most });
    return pageOf({ ...read, limit }, presentFile, ({ id }) => [id]);
  },

  downloadUrl: async ({ params, now, ports, ...context }) => {
    const file = await findFile(context, params.id);
    ensureServed(file);
    const { fileName, contentType, size, sha256 } = presentFile(file);
    const expiresAt = new Date(now.getTime() + urlLifetimeMs);
    const url = await ports.files.downloadUrl(file.storageKey, { fileName, contentType, expiresAt });
    return { url, expiresAt: expiresAt.toISOString(), fileName, contentType, size, sha256 };
  },

  thumbnail: async ({ params, now, ports, ...context }) => {
    const file = await findFile(context, params.id);
    const { fileName, thumbnailStatus, thumbnailWidth: width, thumbnailHeight: height, thumbnailProblem } = file;
    if (!isServed(file)) throw new ApiError('no_thumbnail', `The file has no thumbnail: ${whyNotServed(file)}.`);
    if (thumbnailStatus !== 'READY' || !width || !height) {
      const reason = thumbnailStatus === 'PENDING' ? 'it is being made; retry in a moment' : thumbnailProblem;
      throw new ApiError(
        'no_thumbnail',
        `The file has no thumbnail: ${reason ?? 'it is neither an image nor a video'}.`,
      );
    }
    const expiresAt = new Date(now.getTime() + urlLifetimeMs);
    const details = { fileName: `${fileName}.webp`, contentType: 'image/webp', expiresAt };
    const url = await ports.files.downloadUrl(thumbnailKey(file), details);
    return { url, width, height, expiresAt: expiresAt.toISOString() };
  },

  scanStatus: async ({ params, ...context }) => {
    const { scanStatus: status, scanSignature, scannedAt } = await findFile(context, params.id);
    return {
      status,
      ...(scanSignature && { signature: scanSignature }),
      ...(scannedAt && { scannedAt: scannedAt.toISOString() }),
    };
  },

  bulkDownloadZip: async ({ body, ports, ...context }) => {
    const chosen: RunFile[] = [];
    for (const id of new Set(body.fileIds)) chosen.push(await findFile(context, id));
    const problems = chosen
      .filter((file) => !isServed(file))
      .map((file) => `fileIds[${body.fileIds.indexOf(file.id)}]: cannot be downloaded: ${whyNotServed(file)}`);
    if (problems.length > 0) throw badRequest(problems);
    return {
      contentType: 'application/zip',
      fileName: 'files.zip',
      content: (signal) => zipOf(ports.files, chosen, signal),
    };
  },

  transfer: async ({ params, ...context }) => sendContent(context, params.token),

  receive: atomic(async ({ params, body, ...context }) => receiveContent(context, params.token, body)),
};

/** A caller who only has the tasks that are theirs lists the files of an entry, which `ensureFilter` has checked. */
function scopeOf(actor: Actor, { executionEntryId }: FileFilter): Actor {
  const isChecked = actor.resourceScope.mode === 'ASSIGNED' && executionEntryId !== undefined;
  return isChecked ? { ...actor, resourceScope: { mode: 'ALL' } } : actor;
}

/** Throws a 400 without a filter, and a 404 or 403 for a run or an entry that the caller may not read. */
async function ensureFilter(
  context: Pick<RequestContext, 'em' | 'actor'>,
  { executionEntryId, runTaskFieldId, runId }: FileFilter,
): Promise<void> {
  if (!executionEntryId && !runTaskFieldId && !runId) {
    throw badRequest(['query: needs executionEntryId, runTaskFieldId or runId']);
  }
  const { organizationId } = context.actor;
  const own = { organizationId, id: executionEntryId ?? '', discardedAt: null };
  const entry = executionEntryId === undefined ? null : found(await context.em.findOne(Entry, own), 'Entry');
  if (runId !== undefined) await ensurePlaceInScope(context, { runId, entryId: null });
  if (entry) await ensurePlaceInScope(context, { runId: entry.runId, entryId: entry.id });
}
