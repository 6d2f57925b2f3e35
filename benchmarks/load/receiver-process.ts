import { startServer } from '../harness/server-process.ts';
import type { Receipts } from './receiver.ts';

/** A webhook receiver in a separate process. Disposing it stops it. */
export interface ReceiverProcess extends AsyncDisposable {
  readonly pid: number;
  /** The URL for deliveries. Every path below it works, too. */
  readonly url: string;
  /**
   * Resolves when `count` deliveries have arrived since the last call, with the arrival time of each in epoch
   * milliseconds. Only one call at a time is allowed. Rejects if none arrives for a minute.
   */
  receive(count: number): Promise<readonly number[]>;
}

/** Starts `receiver.ts`. */
export async function startReceiverProcess(folder: string): Promise<ReceiverProcess> {
  const child = await startServer('benchmarks/load/receiver.ts', { cwd: folder }, '/');
  return {
    pid: child.pid,
    url: `${child.url}/hook`,
    receive: async (count) => {
      child.process.send(count);
      const receipts = (await child.message()) as Receipts;
      if ('problem' in receipts) throw new Error(receipts.problem);
      return receipts.times;
    },
    [Symbol.asyncDispose]: () => child[Symbol.asyncDispose](),
  };
}
