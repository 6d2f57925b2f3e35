import type { Contract, Response } from '@runward/contract';
import type { RunFile } from './entities/run-file.ts';

type Presented = Response<Contract['files']['confirm']>;

/** The properties of a file that callers see. */
export type ShownFile = Pick<
  RunFile,
  | 'id'
  | 'fileName'
  | 'contentType'
  | 'size'
  | 'sha256'
  | 'scanStatus'
  | 'entryId'
  | 'runTaskFieldId'
  | 'createdByUserId'
  | 'createdAt'
>;

/** A stored file as callers see it. */
export function presentFile(file: ShownFile): Presented {
  const { id, fileName, contentType, size, sha256, scanStatus, runTaskFieldId, createdByUserId } = file;
  if (!sha256) throw new Error(`The file ${id} is stored without a hash.`);
  const uploaded = { executionEntryId: file.entryId, runTaskFieldId, createdByUserId };
  return { id, fileName, contentType, size, sha256, scanStatus, ...uploaded, createdAt: file.createdAt.toISOString() };
}
