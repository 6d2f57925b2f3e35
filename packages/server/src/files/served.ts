import { badRequest } from '../api-error.ts';
import type { RunFile } from './entities/run-file.ts';

type Examined = Pick<RunFile, 'status' | 'scanStatus'>;

/** Whether a file's content may leave the service: if a scanner found it clean, or if there is no scanner. */
export function isServed({ status, scanStatus }: Examined): boolean {
  return status === 'STORED' && (scanStatus === 'CLEAN' || scanStatus === 'SKIPPED');
}

/** Throws a 400 unless the file is served. */
export function ensureServed(file: Examined): void {
  if (!isServed(file)) throw badRequest('file_not_served', `The file cannot be downloaded: ${whyNotServed(file)}.`);
}

/** Why a file is not served, and what to do, as a clause. */
export function whyNotServed({ scanStatus }: Examined): string {
  switch (scanStatus) {
    case 'INFECTED':
      return 'it is infected; see GET /files/:id/scan-status';
    case 'FAILED':
      return 'the virus scanner could not examine it; upload it in another form';
    default:
      return 'it has not been scanned for viruses yet; retry in a moment';
  }
}
