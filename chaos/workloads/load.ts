import { setTimeout as pause } from 'node:timers/promises';
import { createRandom } from '@runward/testing/random';
import { launchRun } from './client-run.ts';
import type { Caller } from './client.ts';
import type { Template } from './prepare.ts';
import type { Workload } from './workload.ts';

/** Clients at work. */
export interface Load {
  /** Stops the clients and waits for pending responses. */
  stop(): Promise<void>;
}

/** How clients work. */
export interface LoadOptions {
  /** Number of clients. */
  readonly clients: number;
  readonly seed: number;
  /** How the clients are called. */
  readonly name: string;
  readonly workloads: readonly [Workload, ...Workload[]];
}

/**
 * Starts clients that launch runs and apply a random workload to each, one run at a time. A client leaves a run after a
 * rejected request; the checker reports the rejection.
 */
export function startLoad(
  caller: Caller,
  template: Template,
  { clients, seed, name: prefix, workloads }: LoadOptions,
): Load {
  const stopping = new AbortController();
  const work = async (name: string) => {
    const random = createRandom(seed, name);
    while (!stopping.signal.aborted) {
      try {
        const run = await launchRun({ caller, template, random });
        await random.pick(workloads)(stoppable(run, stopping.signal), random).catch(ignoreStop);
      } catch {
        await pause(500);
      }
    }
  };
  const all = Promise.all(Array.from({ length: clients }, (_, index) => work(`${prefix} ${index + 1}`)));
  return {
    stop: async () => {
      stopping.abort();
      await all;
    },
  };
}

/** Ends a workload between two of its steps. */
class Stopped extends Error {}

function ignoreStop(error: unknown): void {
  if (!(error instanceof Stopped)) throw error;
}

function stoppable<Run extends object>(run: Run, signal: AbortSignal): Run {
  return new Proxy(run, {
    get: (target, name, receiver) => {
      if (signal.aborted) throw new Stopped();
      return Reflect.get(target, name, receiver) as unknown;
    },
  });
}
