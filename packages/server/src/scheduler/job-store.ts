import type { JobRepository } from 'agenda';

/** The store of Agenda's jobs: one row per job, with the time of its next run and a lock. */
export interface JobStore {
  /** The connected repository. Every call ends in bounded time, even if the store does not respond. */
  readonly repository: JobRepository;
  /** Whether a query is in progress. */
  isBusy(): boolean;
  /** Closes the connections within a second. Never throws. */
  close(): Promise<void>;
}
