import { startProgram } from '@runward/testing/program';
import type { ExecutionContext } from 'ava';
import { pino } from 'pino';
import { startScheduler, type Job, type Scheduler, type SchedulerOptions } from '../../../src/scheduler/scheduler.ts';
import type { TestStore } from './job-stores.ts';

/** How often schedulers of tests poll their store, in milliseconds; four times as often as the service. */
export const pollMs = 250;
/** The interval of most jobs of tests. */
export const shortSeconds = 0.25;

/** A scheduler that a test started in this process. */
export interface TestScheduler {
  readonly scheduler: Scheduler;
  /** The lines of its log from level info on. */
  readonly log: string[];
}

/** A scheduler that a test started in a process of its own. */
export interface SchedulerProcess {
  /** How often a job ran there. */
  runs(name: string): number;
  log(): string;
  /** Sends a signal and waits for the end: the exit code, or null if the signal ended it. */
  end(signal: NodeJS.Signals): Promise<number | null>;
}

type Settings = Pick<SchedulerOptions, 'lockSeconds' | 'graceMs'>;

/** The lines of a log that do not come from a slow machine, on which a store seems unreachable for a moment. */
export function withoutDelays(lines: readonly string[]): string[] {
  return lines.filter((line) => line !== '' && !/job store (?:un)?reachable/.test(line));
}

/** A job store that one test has for itself, and schedulers on it. */
export interface JobBench {
  readonly store: TestStore;
  start(jobs: readonly Job[], settings?: Settings): Promise<TestScheduler>;
  startProcess(names: readonly string[], settings?: Settings): SchedulerProcess;
}

/** Opens the bench for a test; what still runs is stopped after it. */
export async function openJobBench(t: ExecutionContext, open: () => Promise<TestStore>): Promise<JobBench> {
  const store = await open();
  const started: (() => Promise<unknown>)[] = [];
  t.teardown(async () => {
    store.proxy.restore();
    await Promise.all(started.map((stop) => stop()));
    await store.close();
  });
  return {
    store,
    start: async (jobs, settings) => {
      const log: string[] = [];
      const logger = pino({ level: 'info' }, { write: (line) => log.push(line) });
      const scheduler = await startScheduler({ ...store.urls, log: logger, pollMs, jobs, ...settings });
      started.push(() => scheduler.stop());
      return { scheduler, log };
    },
    startProcess: (names, settings) => {
      const options = JSON.stringify({ ...store.urls, pollMs, names, everySeconds: shortSeconds, ...settings });
      const program = startProgram('packages/server/test/support/scheduler/process.ts', [options]);
      started.push(() => program.end('SIGKILL'));
      const linesOf = () => program.stdout().split('\n');
      const runs = (name: string) => linesOf().filter((line) => line === name).length;
      return { runs, log: program.stderr, end: program.end };
    },
  };
}

/** A job that counts its runs. */
export function counting(name: string, everySeconds = shortSeconds): Job & { readonly runs: number } {
  const job = {
    name,
    everySeconds,
    runs: 0,
    run: async () => {
      job.runs += 1;
    },
  };
  return job;
}
