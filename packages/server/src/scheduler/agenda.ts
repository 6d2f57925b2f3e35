import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { Agenda, type Job, type JobParameters } from 'agenda';
import type { Logger } from 'pino';
import type { JobStore } from './job-store.ts';
import type { Outage } from './outage.ts';

/** What the clock wakes: `wake` never throws and returns within two thirds of the time its lock lasts. */
interface ClockTask {
  readonly name: string;
  readonly everySeconds: number;
  /** How long a process that died keeps it from the others, in milliseconds. */
  readonly lockMs: number;
  wake(): Promise<void>;
}

/** What the clock works with. */
export interface ClockParts {
  readonly store: JobStore;
  readonly tasks: readonly ClockTask[];
  readonly outage: Outage;
  readonly log: Logger;
}

/** Agenda at work on an open store. */
export interface Clock {
  /** Starts nothing more, waits for what runs and for the store, both until `deadline`, and closes the store. Never throws. */
  stop(deadline: number): Promise<void>;
}

const pollMs = 1_000;
const tendMs = 3_000;
/** Agenda locks a job up to a second ahead. One that does not run by now was forgotten; a mistake does no harm, tasks may overlap. */
const forgottenMs = 4_000;
/** Machines' clocks may differ; a time further ahead than this comes from a clock that was wrong. */
const skewMs = 60_000;

/** Starts Agenda on the store and makes the rows of its tasks. Never throws: what fails is tried again every three seconds. */
export async function runClock({ store, tasks, outage, log }: ClockParts): Promise<Clock> {
  const { repository } = store;
  const unlock = repository.unlockJob.bind(repository);
  // Agenda does not wait for this call, so that nobody would catch its failure.
  repository.unlockJob = (job) => unlock(job).catch((error: unknown) => outage.began(error));
  // Locks carry this name.
  const name = `${hostname()}:${process.pid}:${randomUUID()}`;
  const agenda = new Agenda({
    name,
    // The store is connected; Agenda's own connecting would end the process where it fails.
    backend: { name: 'jobs', repository, ownsConnection: false, connect: async () => {}, disconnect: async () => {} },
    processEvery: pollMs,
    maxConcurrency: 10,
    removeOnComplete: true,
  });
  agenda.on('error', (error) => outage.began(error));
  const running = new Set<Job>();
  agenda.on('start', (job) => running.add(job));
  agenda.on('complete', (job) => running.delete(job));
  for (const task of tasks) {
    // oxlint-disable-next-line typescript/no-misused-promises -- Agenda awaits it; only its first overload is for callbacks.
    agenda.define(task.name, () => task.wake(), { lockLifetime: task.lockMs });
  }

  const isForgotten = (job: JobParameters, leastMs: number) =>
    job.lockedAt != null &&
    job.lastModifiedBy === name &&
    job.lockedAt.getTime() <= Date.now() - leastMs &&
    ![...running].some(({ attrs }) => attrs.name === job.name);

  /** Unlocks what this process locked but does not run: the store's answer, or the end of a run, was lost on the way. */
  async function release(jobs: readonly JobParameters[], leastMs: number): Promise<void> {
    const forgotten = jobs.filter((job) => isForgotten(job, leastMs));
    if (forgotten.length > 0) await repository.unlockJobs(forgotten.flatMap(({ _id }) => _id ?? []));
  }

  const look = async () => (await repository.queryJobs({ names: tasks.map((task) => task.name) })).jobs;

  let isFirst = true;

  /** Brings the rows to order: the store may have come back empty, and other processes may have written them. */
  async function tend(): Promise<void> {
    try {
      const jobs = await look();
      for (const task of tasks) {
        const job = jobs.find((candidate) => candidate.name === task.name);
        const everyMs = task.everySeconds * 1_000;
        // Only at the start: two versions of the service side by side would change it to and fro.
        const isOther = isFirst && job !== undefined && Number(job.repeatInterval) !== everyMs;
        if (job && !isOther && canRun(job, everyMs)) continue;
        // To a row that is right nothing may be done: saving it would take its lock, and in MongoDB its history.
        if (job) await repository.removeJobs({ name: task.name });
        await agenda.every(everyMs, task.name);
      }
      isFirst = false;
      await release(jobs, forgottenMs);
      outage.ended();
    } catch (error) {
      outage.began(error);
    }
  }

  const stopping = new AbortController();
  await agenda.start();
  await tend();
  const tending = (async () => {
    while (!stopping.signal.aborted) {
      await pause(tendMs, undefined, { signal: stopping.signal }).catch(() => {});
      if (!stopping.signal.aborted) await tend();
    }
  })();

  return {
    stop: async (deadline) => {
      stopping.abort();
      const inTime = <Value>(work: Promise<Value>) =>
        Promise.race([work, pause(Math.max(deadline - Date.now(), 0), undefined, { ref: false })]);
      const end = async () => {
        await agenda.stop(false);
        await tending;
        // Agenda does not tell when the last job has written its end; closing before would leave the job locked.
        while ((running.size > 0 || store.isBusy()) && Date.now() < deadline) await pause(10);
        if (Date.now() < deadline) await release(await look(), 0);
      };
      try {
        await inTime(end());
      } catch (error) {
        log.warn({ err: error }, 'could not release job locks; jobs stay locked until their locks expire');
      }
      await store.close();
    },
  };
}

function canRun(job: JobParameters, everyMs: number): boolean {
  const isPlausible = (at: Date | null | undefined, most: number) => !at || at.getTime() < Date.now() + most;
  return (
    job.disabled !== true &&
    job.nextRunAt != null &&
    isPlausible(job.nextRunAt, everyMs + skewMs) &&
    isPlausible(job.lockedAt, skewMs)
  );
}
