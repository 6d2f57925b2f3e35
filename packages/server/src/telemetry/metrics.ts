/** How something ended that can fail. */
export type Outcome = 'succeeded' | 'failed';

/** An HTTP request that is over. */
export interface CountedRequest {
  /** As in the contract, like `runs.list`; `unknown` where no endpoint has the path. */
  readonly operation: string;
  readonly method: string;
  /** Null where the caller went away before the answer. */
  readonly status: number | null;
  readonly seconds: number;
}

/** Where the service counts what it does. Whoever counts does not know who reads it, or how. */
export interface Metrics {
  request(request: CountedRequest): void;
  /** One run of a job of the clock. */
  job(name: string, outcome: Outcome, seconds: number): void;
  /** One attempt to bring an event to a webhook. */
  webhookAttempt(outcome: Outcome, seconds: number): void;
}

/** Counts nothing. */
export const noMetrics: Metrics = { request: () => {}, job: () => {}, webhookAttempt: () => {} };
