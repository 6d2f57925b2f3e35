import type { JobRepository } from 'agenda';

/** Where Agenda keeps its jobs: one row per task, with the time of its next run and a lock. */
export interface JobStore {
  /** Connected already; its calls end in bounded time, also where the store does not answer. */
  readonly repository: JobRepository;
  /** Whether a query is under way. */
  isBusy(): boolean;
  /** Ends the connections, within a second. Never throws. */
  close(): Promise<void>;
}
