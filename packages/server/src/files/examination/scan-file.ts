import { RunFile } from '../entities/run-file.ts';
import { keysOf } from '../find-file.ts';
import type { ClaimedFile } from '../queries/claim-file.ts';
import type { ExaminerParts } from './examiner.ts';

type Parts = Pick<ExaminerParts, 'database' | 'store' | 'scanner' | 'removeInfected'>;

/**
 * Scans a file that was not scanned yet, and returns whether it is served. With a scanner, only clean files are served;
 * without one, all are. Throws if the scanner is unreachable, without having changed anything.
 */
export async function scanFile(parts: Parts, file: ClaimedFile, signal: AbortSignal): Promise<boolean> {
  const { store, scanner, removeInfected } = parts;
  if (file.scanStatus !== 'PENDING') return file.scanStatus === 'CLEAN' || file.scanStatus === 'SKIPPED';
  const rest = file.thumbnailStatus === 'PENDING' ? { tries: 0 } : { nextAttemptAt: null, leaseToken: null };
  if (!scanner) return record(parts, file, { scanStatus: 'SKIPPED', ...rest });
  const stored = await store.find(file.storageKey);
  // If the bytes are missing, the file was deleted since it was claimed. Then its row is also gone, or the check of all
  // files finds it.
  const verdict = stored
    ? await scanner.scan(stored.open(), signal)
    : ({ status: 'FAILED', reason: 'its content is missing' } as const);
  if (verdict.status === 'INFECTED') {
    await removeInfected(file, verdict.signature);
    for (const key of keysOf(file)) await store.remove(key);
    return false;
  }
  if (verdict.status === 'FAILED') {
    await record(parts, file, { scanStatus: 'FAILED', scannedAt: new Date(), nextAttemptAt: null, leaseToken: null });
    return false;
  }
  return record(parts, file, { scanStatus: 'CLEAN', scannedAt: new Date(), ...rest });
}

/** Changes the row of a claimed file, unless another worker has taken over. */
export async function record(
  { database }: Pick<ExaminerParts, 'database'>,
  { organizationId, id, leaseToken }: ClaimedFile,
  changes: Partial<RunFile>,
): Promise<boolean> {
  return (await database.em.fork().nativeUpdate(RunFile, { organizationId, id, leaseToken }, changes)) > 0;
}
