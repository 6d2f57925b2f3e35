import type { ExecutionContext } from 'ava';
import { startProgram } from '@runward/testing/program';
import { pino } from 'pino';
import { startScheduler, type Job, type Scheduler, type SchedulerOptions } from '../../src/scheduler/scheduler.ts';
import type { TestStore } from './job-stores.ts';

/** Jobs that a test started in this process. */
export interface TestJobs {
  readonly jobs: Scheduler;
  /** The lines of their log from level info on. */
  readonly log: string[];
}

/** Jobs that a test started in a process of their own. */
export interface JobProcess {
  /** How often the task ran there. */
  runs(name: string): number;
  log(): string;
  /** Ends it and waits; the exit code, or null if the signal ended it. */
  end(signal: NodeJS.Signals): Promise<number | null>;
}

/** A job store that one test has for itself, and jobs on it. */
export interface JobBench {
  readonly store: TestStore;
  start(tasks: readonly Job[], settings?: Pick<SchedulerOptions, 'lockSeconds'>): Promise<TestJobs>;
  startProcess(names: readonly string[], settings?: Pick<SchedulerOptions, 'lockSeconds'>): JobProcess;
}

/** Opens the bench for a test; whatever is left running is stopped after it. */
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
    start: async (tasks, settings) => {
      const log: string[] = [];
      const logger = pino({ level: 'info' }, { write: (line) => log.push(line) });
      const jobs = await startScheduler({ ...store.urls, log: logger, jobs: tasks, ...settings });
      started.push(() => jobs.stop());
      return { jobs, log };
    },
    startProcess: (names, settings) => {
      const options = JSON.stringify({ ...store.urls, names, ...settings });
      const program = startProgram('packages/server/test/support/scheduler-process.ts', [options]);
      started.push(() => program.end('SIGKILL'));
      const runs = (name: string) =>
        program
          .stdout()
          .split('\n')
          .filter((line) => line === name).length;
      return { runs, log: program.stderr, end: program.end };
    },
  };
}

/** A task that counts its runs. */
export function counting(name: string, everySeconds = 1): Job & { readonly times: number[] } {
  const times: number[] = [];
  return { name, everySeconds, times, run: async () => void times.push(Date.now()) };
}
