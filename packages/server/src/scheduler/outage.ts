import type { Logger } from 'pino';

/** Whether the job store answers. Many failures are one outage, and one line in the log. */
export interface Outage {
  began(error: unknown): void;
  ended(): void;
}

/** Tells the log of the beginning and the end of each outage; of none that begins after the signal. */
export function createOutage(log: Logger, signal: AbortSignal): Outage {
  let since: number | null = null;
  return {
    began: (error) => {
      if (since !== null || signal.aborted) return;
      since = Date.now();
      log.error({ err: error }, 'job store unreachable; scheduling resumes when it responds, no jobs are lost');
    },
    ended: () => {
      if (since === null) return;
      log.info({ seconds: (Date.now() - since) / 1_000 }, 'job store reachable again; scheduling resumed');
      since = null;
    },
  };
}
