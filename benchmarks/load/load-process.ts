import { startChild } from '@runward/testing/child';
import type { Measured } from '../harness/measured.ts';
import type { Job, JobResult } from './load.ts';

/** The process that generates load. Disposing it stops it. */
export interface LoadProcess extends AsyncDisposable {
  /** Runs a job. Rejects if any request fails, because the remaining figures would be meaningless. */
  measure(job: Job): Promise<Measured>;
}

/** Starts `load.ts`, which runs one job at a time. */
export async function startLoadProcess(folder: string): Promise<LoadProcess> {
  const child = startChild('benchmarks/load/load.ts', { cwd: folder });
  await child.message();
  return {
    measure: async (job) => {
      child.process.send(job);
      const result = (await child.message()) as JobResult;
      if ('problem' in result) throw new Error(result.problem);
      return result.measured;
    },
    [Symbol.asyncDispose]: () => child[Symbol.asyncDispose](),
  };
}
