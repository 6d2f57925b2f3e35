import type { Parts } from '@runward/contract';
import { atomic, type Handlers } from '../access/handler.ts';
import { storageKey, urlLifetimeMs } from '../adapters/file-store.ts';
import { notFound } from '../api-error.ts';
import { lockRow } from '../database/lock-row.ts';
import { newId } from '../ids.ts';
import { changeRun } from '../runs/change/change-run.ts';
import { attachFile, ensureAccepted, ensureAttachable, examinationOf, insertFile } from './attach-file.ts';
import { confirmUpload, inspectUpload, unconfirmedLifetimeMs } from './confirm-upload.ts';
import { RunFile } from './entities/run-file.ts';
import { baseNameOf, readFileName } from './file-name.ts';
import { findUpload, keysOf } from './find-file.ts';
import { presentFile } from './present-file.ts';

/** Uploading files to the fields of entries, and deleting them (spec: Files). */
export const runFiles: Handlers<Parts['runFiles']> = {
  directUpload: {
    prepare: async ({ body: { file, executionEntryId: entryId, runTaskFieldId: fieldId }, ...context }) => {
      const { actor, ports } = context;
      const fileName = readFileName(file.fileName, 'file');
      const attachment = { entryId, fieldId, fileId: newId() };
      const { runId, field } = await ensureAttachable(context, attachment);
      ensureAccepted(field, file.contentType, 'file');

      const key = storageKey(actor.organizationId, 'files', newId());
      await ports.files.put(key, file.path);
      context.afterRollback(() => ports.files.remove(key));
      const examination = examinationOf(context, file.contentType);
      const { size, sha256 } = file;
      return async (within) => {
        await attachFile(within, attachment);
        const rest = { status: 'STORED', storageKey: key, fileName, size, sha256, ...examination } as const;
        const stored = await insertFile(within, attachment, { runId, ...rest });
        if (examination.nextAttemptAt) within.afterCommit(async () => ports.examiner.notify());
        return presentFile(stored);
      };
    },
  },

  uploadUrl: atomic(async ({ body, ...context }) => {
    const { executionEntryId: entryId, runTaskFieldId: fieldId, fileName, contentType, size } = body;
    const { actor, now, ports } = context;
    const attachment = { entryId, fieldId, fileId: newId() };
    const { runId, field } = await ensureAttachable(context, attachment);
    ensureAccepted(field, contentType, 'contentType');
    const key = storageKey(actor.organizationId, 'uploads', attachment.fileId);
    const expiresAt = new Date(now.getTime() + urlLifetimeMs);
    const uploadUrl = await ports.files.uploadUrl(key, { contentType, size, expiresAt });
    await insertFile(context, attachment, {
      runId,
      status: 'UPLOADING',
      storageKey: key,
      fileName: baseNameOf(fileName),
      contentType,
      size,
      scanStatus: 'PENDING',
      thumbnailStatus: 'NONE',
      expiresAt: new Date(now.getTime() + unconfirmedLifetimeMs),
    });
    const headers = { 'content-type': contentType };
    return { fileId: attachment.fileId, uploadUrl, method: 'PUT', headers, expiresAt: expiresAt.toISOString() };
  }),

  confirm: {
    prepare: async ({ body, ...context }) => {
      const upload = await inspectUpload(context, body.fileId);
      return async (within) => presentFile('content' in upload ? await confirmUpload(within, upload) : upload.stored);
    },
  },

  delete: async ({ params: { id }, ...context }) => {
    const { em, actor, ports } = context;
    const { organizationId, userId } = actor;
    const { runId, entryId, runTaskFieldId: fieldId } = await findUpload(context, id);
    // The file is locked before the run, as in all transactions that change both.
    if (!(await lockRow(em, RunFile, { organizationId, id }, 'update'))) throw notFound('File');
    // By its entry, a file is found with its task, which guests need. A migration can have removed the task.
    const target = actor.resourceScope.mode === 'ASSIGNED' ? { entryId } : { runId };
    await changeRun(context, target, { type: 'removeFile', entryId, fieldId, fileId: id, userId });
    const file = await em.findOneOrFail(RunFile, { organizationId, id }, { refresh: true });
    const keys = keysOf(file);
    await em.remove(file).flush();
    context.afterCommit(async () => {
      for (const key of keys) await ports.files.remove(key);
    });
  },
};
