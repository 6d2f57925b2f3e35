import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from 'pino';
import { withDeadline } from '../deadline.ts';
import { noMetrics, type Metrics, type Outcome } from '../telemetry/metrics.ts';
import { failActiveSpan, inTrace } from '../telemetry/tracing.ts';
import { startAgenda, type RunningAgenda } from './agenda.ts';
import type { JobStore } from './job-store.ts';
import { createOutage } from './outage.ts';
import { openPostgresBackend } from './postgres-backend.ts';

/** Recurring work. The service's tables contain what is due; the scheduler only starts the job that reads them. */
export interface Job {
  readonly name: string;
  readonly everySeconds: number;
  /** May run in several processes at the same time. The signal is aborted when the service stops. */
  readonly run: (signal: AbortSignal) => Promise<unknown>;
}

/** What `startScheduler` needs. */
export interface SchedulerOptions {
  readonly databaseUrl: string;
  /** URL of the MongoDB that stores the jobs; by default, PostgreSQL stores them. */
  readonly jobsUrl?: string | undefined;
  readonly log: Logger;
  readonly metrics?: Metrics;
  readonly jobs: readonly Job[];
  /**
   * How long a process that died during a job keeps the job from the others; by default 5 to 15 s, depending on the
   * interval of the job.
   */
  readonly lockSeconds?: number;
  /**
   * How often the job store is polled, in milliseconds (default 1000). The beginning and the end of an outage are
   * noticed after a few polls.
   */
  readonly pollMs?: number;
  /** How long `stop` waits for running jobs and the job store, in milliseconds (default 2000). */
  readonly graceMs?: number;
}

/** A running scheduler. */
export interface Scheduler {
  /** Starts no more jobs and waits a short time for the running ones. Never throws. */
  stop(): Promise<void>;
}

/**
 * Short, because a killed process leaves its lock behind. Jobs may overlap, so a lock that expires early does no harm.
 * Agenda polls every second and allows 5 s for each write. Both must fit into the part of the lock lifetime that
 * `reportedAfter` leaves.
 */
const maximumLockSeconds = 15;
/**
 * Frequent jobs are almost always locked, because Agenda locks ahead. After a crash they wait until the lock expires.
 */
const minimumLockSeconds = 5;
/**
 * Fraction of the lock lifetime after which completion is reported to Agenda, even if the job is still running, so that
 * the lock never expires during a run.
 */
const reportedAfter = 2 / 3;
/** How long the start waits for the job store. */
const openMs = 2_000;
const reopenPolls = 2;

/**
 * Starts the scheduler. If the job store does not respond, returns after two seconds and keeps retrying. The service
 * works without the scheduler, because what sends deliveries and mails and examines files looks for work by itself.
 */
export async function startScheduler(options: SchedulerOptions): Promise<Scheduler> {
  const { log, metrics = noMetrics, pollMs = 1_000, graceMs = 2_000 } = options;
  const lockMsOf = ({ everySeconds }: Job) =>
    (options.lockSeconds ?? Math.min(maximumLockSeconds, Math.max(everySeconds, minimumLockSeconds))) * 1_000;
  const stopping = new AbortController();
  const { signal } = stopping;
  const outage = createOutage(log, signal);
  const running = new Map<string, Promise<void>>();

  async function runOnce({ name, run }: Job): Promise<void> {
    const began = performance.now();
    const count = (outcome: Outcome) => metrics.job(name, outcome, (performance.now() - began) / 1000);
    try {
      await run(signal);
      count('succeeded');
    } catch (error) {
      count('failed');
      failActiveSpan(error);
      log.error({ err: error, job: name }, 'job failed; it runs again at its next scheduled time');
    }
  }

  async function runWithinLock(job: Job): Promise<void> {
    if (signal.aborted) return;
    let work = running.get(job.name);
    if (!work) {
      work = inTrace(`job ${job.name}`, {}, () => runOnce(job)).finally(() => running.delete(job.name));
      running.set(job.name, work);
    }
    await withDeadline(lockMsOf(job) * reportedAfter, work);
  }

  let agenda: RunningAgenda | null = null;
  const jobs = options.jobs.map((job) => ({ ...job, lockMs: lockMsOf(job), run: () => runWithinLock(job) }));

  /** Returns whether there is nothing left to open. */
  async function open(): Promise<boolean> {
    try {
      const store = await openStore(options);
      const started = await startAgenda({ store, jobs, outage, log, pollMs });
      if (signal.aborted) await started.stop(Date.now() + graceMs);
      else agenda = started;
      return true;
    } catch (error) {
      outage.began(error);
      return signal.aborted;
    }
  }

  async function openWithRetries(): Promise<void> {
    while (!signal.aborted && !(await open())) await pause(reopenPolls * pollMs, undefined, { signal }).catch(() => {});
  }

  const opening = openWithRetries();
  await withDeadline(openMs, opening);

  async function end(): Promise<void> {
    stopping.abort();
    const deadline = Date.now() + graceMs;
    await withDeadline(graceMs, opening);
    await agenda?.stop(deadline);
    while (running.size > 0 && Date.now() < deadline) await pause(10);
  }

  let ended: Promise<void> | null = null;
  return { stop: () => (ended ??= end()) };
}

async function openStore({ databaseUrl, jobsUrl, log }: SchedulerOptions): Promise<JobStore> {
  if (jobsUrl === undefined) return openPostgresBackend(databaseUrl, log);
  // Loaded on demand, because the driver takes memory that only services with MongoDB need.
  const { openMongoBackend } = await import('./mongo-backend.ts');
  return openMongoBackend(jobsUrl);
}
