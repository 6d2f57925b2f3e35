import type { RequestContext } from '../access/request-context.ts';
import { storageKey } from '../adapters/file-store.ts';
import { badRequest, notFound } from '../api-error.ts';
import { lockRow } from '../database/lock-row.ts';
import { newId } from '../ids.ts';
import {
  attachFile,
  ensureAccepted,
  ensureAttachable,
  examinationOf,
  type Attachment,
  type AttachmentTarget,
} from './attach-file.ts';
import { fitsAnnouncement, unknownContent } from './content-types.ts';
import { RunFile } from './entities/run-file.ts';
import { findUpload } from './find-file.ts';
import { inspect, type Inspected } from './inspect.ts';

/** How long an upload may remain unconfirmed before it is deleted: 24 hours, in milliseconds. */
export const unconfirmedLifetimeMs = 24 * 3_600_000;

/** An upload whose content was checked and copied. */
export interface InspectedUpload {
  readonly upload: RunFile;
  readonly content: Inspected;
  /** The key of the copy, which is removed if the request is rolled back. */
  readonly key: string;
}

/**
 * Checks an upload and copies its content to another key, because its upload URL may still be valid. Large content
 * takes long, so this needs no transaction. A file that is already stored is returned unchanged. Throws a 404, 403 or
 * 400.
 */
export async function inspectUpload(
  context: RequestContext,
  id: string,
): Promise<InspectedUpload | { readonly stored: RunFile }> {
  const { actor, now, ports } = context;
  const upload = await findUpload(context, id);
  if (upload.status === 'STORED') return { stored: upload };
  if (upload.expiresAt && upload.expiresAt <= now) throw notFound('File');
  const target = await ensureAttachable(context, attachmentOf(upload));
  const key = storageKey(actor.organizationId, 'files', newId());
  context.afterRollback(() => ports.files.remove(key));
  try {
    return { upload, key, content: await store(context, upload, target, key) };
  } catch (error) {
    // Another request may have confirmed it meanwhile, and removed the bytes.
    if ((await context.em.refresh(upload))?.status === 'STORED') return { stored: upload };
    throw error;
  }
}

/** Attaches the file of an inspected upload to its field and returns it. Throws a 404, 403 or 400. */
export async function confirmUpload(
  context: RequestContext,
  { upload, content, key }: InspectedUpload,
): Promise<RunFile> {
  const { em, ports } = context;
  // Copied first: in a transaction that both belong to, `upload` and `file` are the same object.
  const { organizationId, id, storageKey: uploadKey } = upload;
  if (!(await lockRow(em, RunFile, { organizationId, id }, 'update'))) throw notFound('File');
  const file = await em.findOneOrFail(RunFile, { organizationId, id }, { refresh: true });
  // If it is not new, another request has confirmed it meanwhile.
  const isNew = file.status === 'UPLOADING';
  if (isNew) {
    await attachFile(context, attachmentOf(upload));
    const stored = { status: 'STORED', storageKey: key, sha256: content.sha256, expiresAt: null } as const;
    em.assign(file, { ...stored, ...examinationOf(context, content.detected) });
    await em.flush();
  }
  context.afterCommit(async () => {
    // Removes the bytes that the row does not refer to.
    await ports.files.remove(isNew ? uploadKey : key);
    if (isNew && file.nextAttemptAt) ports.examiner.notify();
  });
  return file;
}

function attachmentOf({ id, entryId, runTaskFieldId }: RunFile): Attachment {
  return { entryId, fieldId: runTaskFieldId, fileId: id };
}

/** Checks the uploaded content and copies it to a key. */
async function store(
  { ports }: RequestContext,
  { storageKey: uploadKey, size, contentType: announced }: RunFile,
  { field }: AttachmentTarget,
  key: string,
): Promise<Inspected> {
  const uploaded = await ports.files.find(uploadKey);
  if (!uploaded)
    throw badRequest('upload_incomplete', 'Nothing was uploaded yet; send the content to the uploadUrl first.');
  await ports.files.copy(uploadKey, key);
  const stored = await ports.files.find(key);
  if (!stored) throw new Error(`The file store lost ${key}.`);
  if (stored.size !== size) {
    throw badRequest(
      'upload_incomplete',
      `The uploaded file has ${stored.size} bytes, but ${size} were announced; upload it again.`,
    );
  }
  const content = await inspect(stored);
  if (!fitsAnnouncement(announced, content.detected)) {
    const found = content.detected ?? 'of another type';
    throw badRequest(
      'upload_incomplete',
      `The uploaded file is ${found}, but ${announced} was announced; announce it again.`,
    );
  }
  ensureAccepted(field, content.detected ?? unknownContent, 'fileId');
  return content;
}
