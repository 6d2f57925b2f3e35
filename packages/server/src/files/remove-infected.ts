import { system } from '../access/actor.ts';
import type { Database } from '../database/database.ts';
import { lockRow } from '../database/lock-row.ts';
import { inTransaction } from '../database/transaction.ts';
import { decideAndSave } from '../runs/change/decide-and-save.ts';
import { loadRun } from '../runs/store/load.ts';
import { lockRun } from '../runs/store/lock.ts';
import type { Dispatcher } from '../webhooks/delivery/dispatcher.ts';
import { RunFile } from './entities/run-file.ts';
import type { ClaimedFile } from './queries/claim-file.ts';

/**
 * Removes an infected file from the value that names it, and records the signature, in one transaction. Does nothing if
 * the file was deleted, or if another worker has taken over.
 */
export async function removeInfected(
  { database, dispatcher }: { database: Database; dispatcher: Pick<Dispatcher, 'notify'> },
  { organizationId, id, runId, entryId, runTaskFieldId: fieldId, leaseToken }: ClaimedFile,
  signature: string,
): Promise<void> {
  const now = new Date();
  const delivers = await inTransaction(database, async (em) => {
    if (!(await lockRow(em, RunFile, { organizationId, id, leaseToken }, 'update'))) return false;
    await lockRun(em, organizationId, { runId });
    const run = await loadRun(em, organizationId, { runId }, { forms: true });
    if (!run) throw new Error(`The file ${id} belongs to a run that does not exist.`);
    const command = { type: 'removeInfected', entryId, fieldId, fileId: id } as const;
    const decision = await decideAndSave(em, run, command, system, { now });
    const found = { scanStatus: 'INFECTED' as const, scanSignature: signature, scannedAt: now };
    const done = { thumbnailStatus: 'NONE' as const, nextAttemptAt: null, leaseToken: null };
    await em.nativeUpdate(RunFile, { organizationId, id }, { ...found, ...done });
    return decision?.delivers ?? false;
  });
  if (delivers) dispatcher.notify();
}
