import { nextMessage, startServerChild } from './child.ts';
import type { Receipts } from './receiver.ts';

/** A receiver that shares its process with nobody. */
export interface ReceiverProcess {
  readonly pid: number;
  /** Where deliveries go; any path below is as good. */
  readonly url: string;
  /**
   * Settles when so many deliveries have arrived since the last call: when each did, in milliseconds since 1970. One call at a time.
   * Throws where none arrives for a minute.
   */
  receive(count: number): Promise<readonly number[]>;
  stop(): Promise<void>;
}

/** Starts `receiver.ts`. */
export async function startReceiverProcess(folder: string): Promise<ReceiverProcess> {
  const child = await startServerChild({ program: 'benchmarks/receiver.ts', folder }, '/');
  return {
    pid: child.pid,
    url: `${child.baseUrl}/hook`,
    receive: async (count) => {
      child.process.send(count);
      const receipts = (await nextMessage(child)) as Receipts;
      if ('problem' in receipts) throw new Error(receipts.problem);
      return receipts.times;
    },
    stop: () => child.stop(),
  };
}
