import type { FieldDefinition, Rejection } from '@runward/engine';
import type { RequestContext } from '../access/request-context.ts';
import { ensureInScope, ensureMayDo } from '../access/resource-scope/ensure-in-scope.ts';
import { ApiError, badRequest, found } from '../api-error.ts';
import { newId } from '../ids.ts';
import { changeRun } from '../runs/change/change-run.ts';
import { decideAll } from '../runs/change/decide-and-save.ts';
import { taskOf } from '../runs/read/find-task.ts';
import { loadRun } from '../runs/store/load.ts';
import { acceptedTypes, hasPicture, storedType } from './content-types.ts';
import { RunFile } from './entities/run-file.ts';

/** A file, and the place that it is uploaded for. */
export interface Attachment {
  readonly entryId: string;
  readonly fieldId: string;
  readonly fileId: string;
}

/** The place where a file would be attached. */
export interface AttachmentTarget {
  readonly runId: string;
  readonly field: FieldDefinition;
}

/**
 * Before a file's content is stored: the run and the field that it can be attached to in the current state. Throws the
 * same 404, 403 or 400 as attaching it.
 */
export async function ensureAttachable(context: RequestContext, attachment: Attachment): Promise<AttachmentTarget> {
  const { em, actor } = context;
  const { entryId, fieldId } = attachment;
  const run = found(await loadRun(em, actor.organizationId, { entryId }, { forms: true }), 'Entry');
  const task = taskOf(run.state, { entryId });
  ensureInScope(actor, run.template, task);
  ensureMayDo(actor, task);
  const decision = decideAll(run, [attachCommand(context, attachment)], context);
  if (decision.rejection) throw new ApiError(decision.rejection.code, messagesOf(decision.rejection));
  const fields = run.state.tasks.flatMap(({ definition }) => definition.fields);
  const field = fields.find(({ id }) => id === fieldId);
  if (!field) throw new Error(`A file can be attached to the field ${fieldId}, which the run does not have.`);
  return { runId: run.state.id, field };
}

/**
 * Attaches a file to its field. Throws a 404, 403 or 400. The caller must insert or update the row of the file in the
 * same transaction.
 */
export async function attachFile(context: RequestContext, attachment: Attachment): Promise<void> {
  const { entryId } = attachment;
  await changeRun(context, { entryId }, attachCommand(context, attachment), messagesOf);
}

/** Throws a 400 if the files of a field cannot have this media type. The message begins with `path`. */
export function ensureAccepted({ label, type }: FieldDefinition, contentType: string, path: string): void {
  const accepted = acceptedTypes(type);
  if (accepted === null || accepted.includes(contentType)) return;
  throw badRequest([`${path}: "${label}" takes ${accepted.join(', ')}; this file is ${contentType}`]);
}

/** The columns about the examination, for a new row of a stored file. */
export function examinationOf({ ports, now }: Pick<RequestContext, 'ports' | 'now'>, detected: string | null) {
  const contentType = storedType(detected);
  const scanStatus = ports.examiner.hasScanner ? ('PENDING' as const) : ('SKIPPED' as const);
  const thumbnailStatus = hasPicture(contentType) ? ('PENDING' as const) : ('NONE' as const);
  const isDue = scanStatus === 'PENDING' || thumbnailStatus === 'PENDING';
  return { contentType, scanStatus, thumbnailStatus, nextAttemptAt: isDue ? now : null };
}

/** Inserts the row of a file. */
export async function insertFile(
  { em, actor, now }: Pick<RequestContext, 'em' | 'actor' | 'now'>,
  { entryId, fieldId, fileId }: Attachment,
  rest: Pick<
    RunFile,
    'runId' | 'status' | 'storageKey' | 'fileName' | 'contentType' | 'size' | 'scanStatus' | 'thumbnailStatus'
  > &
    Partial<Pick<RunFile, 'sha256' | 'expiresAt' | 'nextAttemptAt'>>,
): Promise<RunFile> {
  const { organizationId, userId: createdByUserId } = actor;
  const place = { organizationId, id: fileId, entryId, runTaskFieldId: fieldId };
  const file = em.create(RunFile, { ...place, ...rest, createdByUserId, createdAt: now }, { persist: false });
  await em.insert(file);
  return file;
}

function attachCommand({ actor }: RequestContext, attachment: Attachment) {
  return { type: 'attachFile', ...attachment, fieldValueId: newId(), userId: actor.userId } as const;
}

function messagesOf({ message, invalidValues }: Rejection): string | string[] {
  return invalidValues?.map((invalid) => `runTaskFieldId: ${invalid.message}`) ?? message;
}
