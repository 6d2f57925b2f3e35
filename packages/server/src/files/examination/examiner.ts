import type { Logger } from 'pino';
import type { FileExaminer } from '../../access/request-context.ts';
import type { FileStore } from '../../adapters/file-store.ts';
import type { UploadFolder } from '../../adapters/upload-folder.ts';
import type { VirusScanner } from '../../adapters/virus-scanner.ts';
import type { Database } from '../../database/database.ts';
import { withDeadline } from '../../deadline.ts';
import { outsideTraces } from '../../telemetry/tracing.ts';
import { claimFile, postponeFile, renewLease, type ClaimedFile } from '../queries/claim-file.ts';
import { makeThumbnail } from './make-thumbnail.ts';
import { scanFile } from './scan-file.ts';

/** Examines stored files: the virus scan first, then the thumbnail. The database knows which files are due. */
export interface Examiner extends FileExaminer {
  /** Examines until nothing is due. */
  tick(): Promise<void>;
  /** Stops claiming, gives the files in progress a second to end, and returns the others to the queue. */
  stop(): Promise<void>;
}

/** The parts and settings of an examiner; times in seconds. */
export interface ExaminerParts {
  readonly database: Database;
  readonly store: FileStore;
  /** Where files are while their thumbnails are made. */
  readonly folder: UploadFolder;
  /** If null, files are not scanned. */
  readonly scanner: VirusScanner | null;
  /**
   * In one transaction, removes an infected file from its value and records the signature. The runs feature provides
   * it.
   */
  readonly removeInfected: (file: ClaimedFile, signature: string) => Promise<void>;
  readonly log: Logger;
  readonly leaseSeconds?: number;
}

/** A low number, because decoding an image takes much memory. */
const maximumInProgress = 2;
const graceMs = 1_000;

/** Creates an examiner. Several examiners, in one or several processes, may use one database. */
export function createExaminer(parts: ExaminerParts): Examiner {
  const { database, log, leaseSeconds = 60 } = parts;
  const inProgress = new Set<Promise<void>>();
  // The organizations that had their turn. When no other one has a file that is due, all have one again.
  const served = new Set<string>();
  const stopping = new AbortController();
  let isNotified = false;

  function notify(): void {
    if (stopping.signal.aborted) return;
    isNotified = true;
    while (inProgress.size < maximumInProgress) start();
  }

  function start(): void {
    isNotified = false;
    const work = outsideTraces(examineWhileDue)
      .catch((error: unknown) => log.error({ err: error }, 'could not claim a file; retrying at the next poll'))
      .finally(() => {
        inProgress.delete(work);
        // A file became due after this worker had found none.
        if (isNotified) notify();
      });
    inProgress.add(work);
  }

  async function examineWhileDue(): Promise<void> {
    while (!stopping.signal.aborted) {
      const file = await claimNext();
      if (!file) return;
      await examine(file);
    }
  }

  /** Organizations take turns, because images of a few bytes can take many seconds each. */
  async function claimNext(): Promise<ClaimedFile | null> {
    const file = await claimFile(database.em.fork(), leaseSeconds, [...served]);
    if (file) served.add(file.organizationId);
    if (file || served.size === 0) return file;
    served.clear();
    return claimNext();
  }

  async function examine(file: ClaimedFile): Promise<void> {
    const lost = new AbortController();
    const heartbeat = setInterval(() => {
      const renewed = renewLease(database.em.fork(), file, leaseSeconds);
      renewed.then((isHeld) => isHeld || lost.abort()).catch(() => {});
    }, leaseSeconds * 300);
    try {
      const signal = AbortSignal.any([stopping.signal, lost.signal]);
      const isServed = await scanFile(parts, file, signal);
      if (isServed && file.thumbnailStatus === 'PENDING') await makeThumbnail(parts, file, signal);
    } catch (error) {
      const delay = stopping.signal.aborted ? 0 : retryDelay(file.tries);
      const { organizationId, id } = file;
      if (delay > 0)
        log.warn({ err: error, organizationId, fileId: id }, `a file was not examined; retrying in ${delay} s`);
      await postponeFile(database.em.fork(), file, delay).catch(() => {});
    } finally {
      clearInterval(heartbeat);
    }
  }

  async function settle(): Promise<void> {
    while (inProgress.size > 0) await Promise.all(inProgress);
  }

  return {
    hasScanner: parts.scanner !== null,
    notify,
    tick: () => {
      notify();
      return settle();
    },
    stop: async () => {
      stopping.abort();
      await withDeadline(graceMs, settle());
    },
  };
}

/** Doubles from two seconds to five minutes. An unreachable scanner is retried without limit. */
function retryDelay(tries: number): number {
  return Math.min(300, 2 ** Math.min(tries, 10));
}
