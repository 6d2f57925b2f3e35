import type { RequestContext } from '../access/request-context.ts';
import { storageKey } from '../adapters/file-store.ts';
import { badRequest, notFound } from '../api-error.ts';
import type { Em } from '../database/database.ts';
import { lockRow } from '../database/lock-row.ts';
import { fitsAnnouncement, unknownContent } from '../files/content-types.ts';
import { RunFile } from './entities/run-file.ts';
import { findUpload } from '../files/find-file.ts';
import { inspect } from '../files/inspect.ts';
import { newId } from '../ids.ts';
import { attachFile, ensureAccepted, ensureAttachable, examinationOf, type AttachmentTarget } from './attach-file.ts';

/** How long an upload may remain unconfirmed before it is deleted: 24 hours, in milliseconds. */
export const unconfirmedLifetimeMs = 24 * 3_600_000;

/**
 * Attaches an uploaded file to its field and returns it; a file that is stored already is returned as it is. The content is copied to another
 * key, because its upload URL may still be valid. Throws a 404, 403 or 400.
 */
export async function confirmUpload(context: RequestContext, id: string): Promise<RunFile> {
  const { actor, now, ports } = context;
  const upload = await findUpload(context, id);
  if (upload.status === 'STORED') return upload;
  if (upload.expiresAt && upload.expiresAt <= now) throw notFound('File');
  const attachment = { entryId: upload.entryId, fieldId: upload.runTaskFieldId, fileId: id };
  const target = await ensureAttachable(context, attachment);

  const key = storageKey(actor.organizationId, 'files', newId());
  context.afterRollback(() => ports.files.remove(key));
  const content = await store(context, upload, target, key);
  const { isNew, file } = await context.inTransaction(async (em) => {
    const within = { ...context, em, inTransaction: async <R>(work: (same: Em) => Promise<R>) => work(em) };
    return settle(within, upload, async (row) => {
      await attachFile(within, attachment);
      const examination = examinationOf(context, content.detected);
      const stored = { status: 'STORED', storageKey: key, sha256: content.sha256, expiresAt: null } as const;
      em.assign(row, { ...stored, ...examination });
      await em.flush();
    });
  });
  // The bytes that the row does not refer to: those of the upload, or the copy if another request confirmed it meanwhile.
  context.afterCommit(async () => {
    await ports.files.remove(isNew ? upload.storageKey : key);
    if (isNew && file.nextAttemptAt) ports.examiner.notify();
  });
  return file;
}

/** Checks the uploaded content and copies it to a key. */
async function store(
  { ports }: RequestContext,
  { storageKey: uploadKey, size, contentType: announced }: RunFile,
  { field }: AttachmentTarget,
  key: string,
) {
  const uploaded = await ports.files.find(uploadKey);
  if (!uploaded) throw badRequest('Nothing was uploaded yet; send the content to the uploadUrl first.');
  await ports.files.copy(uploadKey, key);
  const stored = await ports.files.find(key);
  if (!stored) throw new Error(`The file store lost ${key}.`);
  if (stored.size !== size) {
    throw badRequest(`The uploaded file has ${stored.size} bytes, but ${size} were announced; upload it again.`);
  }
  const content = await inspect(stored);
  if (!fitsAnnouncement(announced, content.detected)) {
    const found = content.detected ?? 'of another type';
    throw badRequest(`The uploaded file is ${found}, but ${announced} was announced; announce it again.`);
  }
  ensureAccepted(field, content.detected ?? unknownContent, 'fileId');
  return content;
}

/** Calls `attach` with the locked row of an upload, unless another request has confirmed or deleted it meanwhile. */
async function settle(
  { em }: RequestContext,
  { organizationId, id }: RunFile,
  attach: (row: RunFile) => Promise<void>,
): Promise<{ isNew: boolean; file: RunFile }> {
  if (!(await lockRow(em, RunFile, { organizationId, id }, 'update'))) throw notFound('File');
  const file = await em.findOneOrFail(RunFile, { organizationId, id }, { refresh: true });
  const isNew = file.status === 'UPLOADING';
  if (isNew) await attach(file);
  return { isNew, file };
}
