/** Work that goes on until it is stopped. */
export interface Stoppable {
  /** Starts nothing new, and waits for pending responses. */
  stop(): Promise<void>;
}

/** Starts work that ends soon after its signal is aborted. */
export function untilStopped(work: (signal: AbortSignal) => Promise<unknown>): Stoppable {
  const stopping = new AbortController();
  const worked = work(stopping.signal);
  return {
    stop: async () => {
      stopping.abort();
      await worked;
    },
  };
}
