import { nextMessage, startChild } from './child.ts';
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
  await nextMessage(child);
  return {
    measure: async (job) => {
      child.process.send(job);
      const answer = (await nextMessage(child)) as Answer;
      if ('problem' in answer) throw new Error(answer.problem);
      return answer.measured;
    },
    stop: () => child.stop(),
  };
}
