import { once } from 'node:events';
import { type Child, startChild } from './child.ts';
import type { Answer, Job } from './load.ts';
import type { Measured } from './measured.ts';

/** The process that puts load on servers. */
export interface LoadProcess {
  /** Does a job. Throws where a request failed: what is left would measure something else. */
  measure(job: Job): Promise<Measured>;
  stop(): Promise<void>;
}

/** Starts `load.ts`; one job at a time. */
export async function startLoadProcess(folder: string): Promise<LoadProcess> {
  const child = startChild({ program: 'benchmarks/load.ts', folder });
  await next(child);
  return {
    measure: async (job) => {
      child.process.send(job);
      const answer = (await next(child)) as Answer;
      if ('problem' in answer) throw new Error(answer.problem);
      return answer.measured;
    },
    stop: () => child.stop(),
  };
}

async function next(child: Child): Promise<unknown> {
  const [message] = await Promise.race([once(child.process, 'message'), child.lost]);
  return message;
}
