import type { Logger } from 'pino';

/** Whether the job store responds. Consecutive failures are one outage. */
export interface Outage {
  began(error: unknown): void;
  ended(): void;
}

/** Logs the beginning and the end of each outage once; ignores outages that begin after `signal` is aborted. */
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
