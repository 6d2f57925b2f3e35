import { setTimeout as pause } from 'node:timers/promises';
import type { Caller } from './client.ts';
import type { Process } from './prepare.ts';
import { createRandom } from './random.ts';
import { launchRun } from './run-of-client.ts';
import { stories } from './stories.ts';

/** Clients at work. */
export interface Load {
  /** Begins nothing new; settles when every client has its last answer. */
  stop(): Promise<void>;
}

/** How clients work. */
export interface LoadOptions {
  readonly clients: number;
  readonly seed: number;
  /** Whether they cancel a run they leave unfinished, so that no deadline is left to pass. */
  readonly tidy: boolean;
}

/** Has so many clients launch runs and work on them, one after the other. What is refused they leave; the checker will say so. */
export function startLoad(caller: Caller, process: Process, { clients, seed, tidy }: LoadOptions): Load {
  const over = new AbortController();
  const work = async (name: string) => {
    const random = createRandom(seed, name);
    while (!over.signal.aborted) {
      try {
        const run = await launchRun({ caller, process, random });
        await random.pick(stories)(untilOver(run, over.signal), random).catch(ignoreOver);
        if (tidy) await run.abandon();
      } catch {
        await pause(500);
      }
    }
  };
  const all = Promise.all(Array.from({ length: clients }, (_, index) => work(`client ${index + 1}`)));
  return {
    stop: async () => {
      over.abort();
      await all;
    },
  };
}

/** Thrown to end a story between two of its steps. */
class Over extends Error {}

function ignoreOver(error: unknown): void {
  if (!(error instanceof Over)) throw error;
}

function untilOver<Run extends object>(run: Run, over: AbortSignal): Run {
  return new Proxy(run, {
    get: (target, name, receiver) => {
      if (over.aborted) throw new Over();
      return Reflect.get(target, name, receiver) as unknown;
    },
  });
}
