import { setTimeout as pause } from 'node:timers/promises';
import { Agenda } from 'agenda';
import type { Logger } from 'pino';
import { noMetrics, type Metrics, type Outcome } from '../metrics.ts';
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
  readonly log: Logger;
  readonly metrics?: Metrics;
  readonly tasks: readonly Task[];
}

/** The running clock. */
export interface Jobs {
  /** Starts nothing more and waits up to two seconds for what runs. */
  stop(): Promise<void>;
}

const lockMs = 30_000;
/** A task that takes longer goes on, but Agenda is told that it ended: a lock must not run out under it. */
const patienceMs = 20_000;
const graceMs = 2_000;

/** Starts the clock on the PostgreSQL database. Throws where the database does not answer. */
export async function startJobs(options: JobsOptions): Promise<Jobs> {
  const { log, metrics = noMetrics, tasks } = options;
  const store = await openPostgresBackend(options.databaseUrl, log);
  const stopping = new AbortController();
  const underWay = new Map<string, Promise<void>>();

  async function carryOut({ name, run }: Task): Promise<void> {
    const began = performance.now();
    const count = (outcome: Outcome) => metrics.job(name, outcome, (performance.now() - began) / 1000);
    try {
      await run(stopping.signal);
      count('succeeded');
    } catch (error) {
      count('failed');
      log.error({ err: error, job: name }, 'a job failed; it runs again when its time comes');
    }
  }

  async function wake(task: Task): Promise<void> {
    if (stopping.signal.aborted) return;
    let work = underWay.get(task.name);
    if (!work) {
      work = carryOut(task).finally(() => underWay.delete(task.name));
      underWay.set(task.name, work);
    }
    await Promise.race([work, pause(patienceMs, undefined, { ref: false })]);
  }

  const agenda = new Agenda({
    backend: store.backend,
    processEvery: 1_000,
    maxConcurrency: 10,
    defaultLockLifetime: lockMs,
    removeOnComplete: true,
  });
  agenda.on('error', (error) => log.error({ err: error }, 'the job clock failed; it goes on'));
  const running = new Set<unknown>();
  agenda.on('start', (job) => running.add(job));
  agenda.on('complete', (job) => running.delete(job));
  for (const task of tasks) {
    // oxlint-disable-next-line typescript/no-misused-promises -- Agenda awaits it; only its first overload is for callbacks.
    agenda.define(task.name, () => wake(task));
  }
  await agenda.start();
  for (const { name, everySeconds } of tasks) await agenda.every(everySeconds * 1_000, name);

  return {
    stop: async () => {
      stopping.abort();
      const deadline = Date.now() + graceMs;
      try {
        await agenda.stop(false);
      } catch (error) {
        log.warn({ err: error }, 'jobs stay locked until their locks run out');
      }
      // Agenda does not tell when the last job has written its end; closing before would leave the job locked.
      const isBusy = () => running.size > 0 || underWay.size > 0 || store.isBusy();
      while (isBusy() && Date.now() < deadline) await pause(10);
      await store.close();
    },
  };
}
