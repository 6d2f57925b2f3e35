import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from 'pino';
import { noMetrics, type Metrics, type Outcome } from '../telemetry/metrics.ts';
import { runClock, type Clock } from './agenda.ts';
import type { JobStore } from './job-store.ts';
import { createOutage } from './outage.ts';
import { openPostgresBackend } from './postgres-backend.ts';

/** Something to do again and again. What is to be done stands in our own tables; this is only the clock. */
export interface Task {
  readonly name: string;
  readonly everySeconds: number;
  /** May be called in several processes at a time. The signal says that the service is stopping. */
  readonly run: (signal: AbortSignal) => Promise<unknown>;
}

/** What the clock needs. */
export interface JobsOptions {
  readonly databaseUrl: string;
  /** The MongoDB that keeps the jobs; without it PostgreSQL does. */
  readonly jobsUrl?: string | undefined;
  readonly log: Logger;
  readonly metrics?: Metrics;
  readonly tasks: readonly Task[];
  /** How long a process that died in the middle of a task keeps it from the others; by default 5 to 15 s, by how often it comes. */
  readonly lockSeconds?: number;
}

/** The running clock. */
export interface Jobs {
  /** Starts nothing more and waits up to two seconds for what runs. Never throws. */
  stop(): Promise<void>;
}

/**
 * Short, since a killed process leaves its lock behind; tasks may overlap, so that a lock that runs out too early does no harm.
 * Agenda polls each second and gives each write 5 s: that has to fit in, besides the patience.
 */
const mostLockSeconds = 15;
/** What comes round often is locked nearly all the time, because Agenda locks ahead: nobody does it after a kill until the lock ends. */
const leastLockSeconds = 5;
/** The part of a lock's time after which Agenda is told that a task ended. The task goes on: its lock must not run out under it. */
const patience = 2 / 3;
const graceMs = 2_000;
const reopenMs = 2_000;

/**
 * Starts the clock. Where the job store does not answer it is tried again every two seconds, and this returns meanwhile: the service
 * can do without the clock, since a commit wakes the dispatcher directly.
 */
export async function startJobs(options: JobsOptions): Promise<Jobs> {
  const { log, metrics = noMetrics } = options;
  const lockMsOf = ({ everySeconds }: Task) =>
    (options.lockSeconds ?? Math.min(mostLockSeconds, Math.max(everySeconds, leastLockSeconds))) * 1_000;
  const stopping = new AbortController();
  const { signal } = stopping;
  const outage = createOutage(log, signal);
  const underWay = new Map<string, Promise<void>>();

  async function carryOut({ name, run }: Task): Promise<void> {
    const began = performance.now();
    const count = (outcome: Outcome) => metrics.job(name, outcome, (performance.now() - began) / 1000);
    try {
      await run(signal);
      count('succeeded');
    } catch (error) {
      count('failed');
      log.error({ err: error, job: name }, 'job failed; it runs again at its next scheduled time');
    }
  }

  async function wake(task: Task): Promise<void> {
    if (signal.aborted) return;
    let work = underWay.get(task.name);
    if (!work) {
      work = carryOut(task).finally(() => underWay.delete(task.name));
      underWay.set(task.name, work);
    }
    await Promise.race([work, pause(lockMsOf(task) * patience, undefined, { ref: false })]);
  }

  let clock: Clock | null = null;
  const tasks = options.tasks.map((task) => ({ ...task, lockMs: lockMsOf(task), wake: () => wake(task) }));

  /** Answers whether there is nothing more to open. */
  async function open(): Promise<boolean> {
    try {
      const store = await openStore(options);
      const running = await runClock({ store, tasks, outage, log });
      if (signal.aborted) await running.stop(Date.now() + graceMs);
      else clock = running;
      return true;
    } catch (error) {
      outage.began(error);
      return signal.aborted;
    }
  }

  async function keepOpening(): Promise<void> {
    while (!signal.aborted && !(await open())) await pause(reopenMs, undefined, { signal }).catch(() => {});
  }

  const opening = keepOpening();
  await Promise.race([opening, pause(graceMs, undefined, { ref: false })]);

  async function end(): Promise<void> {
    stopping.abort();
    const deadline = Date.now() + graceMs;
    await Promise.race([opening, pause(graceMs, undefined, { ref: false })]);
    await clock?.stop(deadline);
    while (underWay.size > 0 && Date.now() < deadline) await pause(10);
  }

  let ended: Promise<void> | null = null;
  return { stop: () => (ended ??= end()) };
}

async function openStore({ databaseUrl, jobsUrl, log }: JobsOptions): Promise<JobStore> {
  if (jobsUrl === undefined) return openPostgresBackend(databaseUrl, log);
  // The driver takes memory that only those pay who use it.
  const { openMongoBackend } = await import('./mongo-backend.ts');
  return openMongoBackend(jobsUrl);
}
