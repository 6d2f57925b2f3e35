import { setTimeout as pause } from 'node:timers/promises';
import { createRandom } from '@runward/testing/random';
import { launchRun } from './client-run.ts';
import type { Caller } from './client.ts';
import type { Template } from './prepare.ts';
import { untilStopped, type Stoppable } from './stoppable.ts';
import type { Workload } from './workload.ts';

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
): Stoppable {
  const work = async (name: string, signal: AbortSignal) => {
    const random = createRandom(seed, name);
    while (!signal.aborted) {
      try {
        const run = await launchRun({ caller, template, random });
        await random.pick(workloads)(stoppingAt(signal, run), random).catch(ignoreStop);
      } catch {
        await pause(500);
      }
    }
  };
  return untilStopped((signal) =>
    Promise.all(Array.from({ length: clients }, (_, index) => work(`${prefix} ${index + 1}`, signal))),
  );
}

/** Ends a workload between two of its steps. */
class Stopped extends Error {}

function ignoreStop(error: unknown): void {
  if (!(error instanceof Stopped)) throw error;
}

function stoppingAt<Run extends object>(signal: AbortSignal, run: Run): Run {
  return new Proxy(run, {
    get: (target, name, receiver) => {
      if (signal.aborted) throw new Stopped();
      return Reflect.get(target, name, receiver) as unknown;
    },
  });
}
