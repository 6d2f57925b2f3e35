import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { Agenda, type Job as AgendaJob, type JobParameters } from 'agenda';
import type { Logger } from 'pino';
import { withDeadline } from '../deadline.ts';
import type { JobStore } from './job-store.ts';
import type { Outage } from './outage.ts';

/** A job as Agenda runs it: `run` never throws and returns within two thirds of the lock lifetime. */
interface ScheduledJob {
  readonly name: string;
  readonly everySeconds: number;
  /** How long a dead process keeps the job from the others, in milliseconds. */
  readonly lockMs: number;
  run(): Promise<void>;
}

/** What `startAgenda` needs. */
export interface AgendaParts {
  readonly store: JobStore;
  readonly jobs: readonly ScheduledJob[];
  readonly outage: Outage;
  readonly log: Logger;
  /** How often the job store is polled, in milliseconds. Rows are repaired at every third poll. */
  readonly pollMs: number;
}

/** Agenda, running on an open store. */
export interface RunningAgenda {
  /**
   * Starts no more jobs, waits for running jobs and for the store until `deadline` (epoch ms), then closes the store.
   * Never throws.
   */
  stop(deadline: number): Promise<void>;
}

const reconcilePolls = 3;
/** Agenda locks a job up to a second before it runs. A job that is not running after this time has lost its run. */
const orphanedMs = 4_000;
/** Allowed difference between the clocks of machines. A time further in the future was written by a wrong clock. */
const skewMs = 60_000;

/**
 * Starts Agenda on the store and creates the rows of its jobs. Never throws: a failure is retried every three polls.
 */
export async function startAgenda({ store, jobs, outage, log, pollMs }: AgendaParts): Promise<RunningAgenda> {
  const { repository } = store;
  const unlock = repository.unlockJob.bind(repository);
  // Agenda does not await this call, so its rejection would be unhandled.
  repository.unlockJob = (row) => unlock(row).catch((error: unknown) => outage.began(error));
  // Agenda writes this name into the locks it takes.
  const name = `${hostname()}:${process.pid}:${randomUUID()}`;
  const agenda = new Agenda({
    name,
    // The store is already connected; Agenda would end the process if its own connection attempt failed.
    backend: { name: 'jobs', repository, ownsConnection: false, connect: async () => {}, disconnect: async () => {} },
    processEvery: pollMs,
    maxConcurrency: 10,
    removeOnComplete: true,
  });
  agenda.on('error', (error: Error) => {
    if (!isBeingWritten(error)) outage.began(error);
  });
  const running = new Set<AgendaJob>();
  agenda.on('start', (job) => running.add(job));
  agenda.on('complete', (job) => running.delete(job));
  for (const job of jobs) {
    // oxlint-disable-next-line typescript/no-misused-promises -- Agenda awaits it; its first overload takes callbacks.
    agenda.define(job.name, () => job.run(), { lockLifetime: job.lockMs });
  }

  const isOrphaned = (row: JobParameters, leastMs: number) =>
    row.lockedAt != null &&
    row.lastModifiedBy === name &&
    row.lockedAt.getTime() <= Date.now() - leastMs &&
    ![...running].some(({ attrs }) => attrs.name === row.name);

  /** Unlocks jobs that this process locked but does not run: the store's response, or the end of a run, was lost. */
  async function releaseOrphaned(rows: readonly JobParameters[], leastMs: number): Promise<void> {
    const orphaned = rows.filter((row) => isOrphaned(row, leastMs));
    if (orphaned.length > 0) await repository.unlockJobs(orphaned.flatMap(({ _id }) => _id ?? []));
  }

  const readRows = async () => (await repository.queryJobs({ names: jobs.map((job) => job.name) })).jobs;

  let isFirst = true;

  /** Repairs the rows, because the store may have come back empty and other processes may have written them. */
  async function reconcile(): Promise<void> {
    try {
      const rows = await readRows();
      for (const job of jobs) {
        const row = rows.find((candidate) => candidate.name === job.name);
        const everyMs = job.everySeconds * 1_000;
        // Checked only at the start, or else two versions side by side would keep overwriting each other's interval.
        const hasOtherInterval = isFirst && row !== undefined && Number(row.repeatInterval) !== everyMs;
        if (row && !hasOtherInterval && canRun(row, everyMs)) continue;
        // A correct row is left alone: saving it would clear its lock and, in MongoDB, the times of its last run.
        if (row) await repository.removeJobs({ name: job.name });
        await agenda.every(everyMs, job.name);
      }
      isFirst = false;
      await releaseOrphaned(rows, orphanedMs);
      outage.ended();
    } catch (error) {
      outage.began(error);
    }
  }

  const stopping = new AbortController();
  await agenda.start();
  await reconcile();
  const reconciling = (async () => {
    while (!stopping.signal.aborted) {
      await pause(reconcilePolls * pollMs, undefined, { signal: stopping.signal }).catch(() => {});
      if (!stopping.signal.aborted) await reconcile();
    }
  })();

  return {
    stop: async (deadline) => {
      stopping.abort();
      const end = async () => {
        await agenda.stop(false);
        await reconciling;
        // Agenda does not report when the end of the last job is written. Closing earlier would leave that job locked.
        while ((running.size > 0 || store.isBusy()) && Date.now() < deadline) await pause(10);
        if (Date.now() < deadline) await releaseOrphaned(await readRows(), 0);
      };
      try {
        await withDeadline(deadline - Date.now(), end());
      } catch (error) {
        log.warn({ err: error }, 'could not release job locks; jobs stay locked until their locks expire');
      }
      await store.close();
    },
  };
}

/**
 * Whether Agenda means only that a run has ended and its row is not written yet: after half of the lock lifetime it
 * looks for the lock, which it removes before it writes the row. A slow store is not one that cannot be reached.
 */
function isBeingWritten({ message }: Error): boolean {
  return /^execution of '.*' canceled, no lockedAt date found/.test(message);
}

function canRun(row: JobParameters, everyMs: number): boolean {
  const isPlausible = (at: Date | null | undefined, most: number) => !at || at.getTime() < Date.now() + most;
  return (
    row.disabled !== true &&
    row.nextRunAt != null &&
    isPlausible(row.nextRunAt, everyMs + skewMs) &&
    isPlausible(row.lockedAt, skewMs)
  );
}
